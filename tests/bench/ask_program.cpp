#include "tests/bench/ask_program.h"

#include <cstdio>
#include <fstream>
#include <memory>

namespace scanloupe::bench {

Json askProgram(const std::string& command) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    std::string said;
    char block[4096];
    while (pipe && std::fgets(block, sizeof block, pipe.get()))
        said = block;
    return Json::parse(said, nullptr, false);
}

std::uint64_t statusBytes(const std::string& name) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(name + ":"))
            return std::stoull(line.substr(name.size() + 1)) * 1024;
    return 0;
}

} // namespace scanloupe::bench
