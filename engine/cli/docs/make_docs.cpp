// Writes the manual pages and the completions of scanloupe-cli at build time:
// make_cli_docs FOLDER VERSION DATE
#include "engine/cli/command_tree.h"
#include "engine/cli/docs/program_docs.h"

#include <filesystem>
#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
    using namespace scanloupe::cli;
    if (argc != 4) {
        std::cerr << "make_cli_docs: usage: make_cli_docs FOLDER VERSION DATE\n";
        return 2;
    }
    const std::filesystem::path folder(argv[1]);
    const std::string version = std::string("Scanloupe ") + argv[2], date = argv[3];
    Action none;
    const ProgramDocs program = docsOf(*commandTree(none));
    bool isWritten = true;
    const auto write = [&](const std::filesystem::path& file, const std::string& text) {
        std::filesystem::create_directories((folder / file).parent_path());
        std::ofstream out(folder / file, std::ios::binary);
        out << text;
        isWritten = isWritten && out.flush().good();
    };
    write("man/" + program.name + ".1", manualPage(program, version, date));
    for (const CommandDocs& command : program.commands)
        write("man/" + program.name + "-" + command.name + ".1", manualPage(program, command, version, date));
    write("bash/" + program.name, bashCompletion(program));
    write("zsh/_" + program.name, zshCompletion(program));
    write("fish/" + program.name + ".fish", fishCompletion(program));
    if (!isWritten)
        std::cerr << "make_cli_docs: " << folder << " can't be written\n";
    return isWritten ? 0 : 1;
}
