// Parses the command line with CLI11, runs the command, and maps exceptions to exit codes.
#include "engine/cli/command_line.h"

#include "engine/cli/command_tree.h"
#include "engine/cli/json_option.h"
#include "engine/cli/output/doubtful_result.h"
#include "engine/cli/output/out_of_tolerance.h"
#include "engine/cli/output/suggestion.h"
#include "engine/cloud/error_message.h"
#include "engine/io/common/text/utf8.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <vector>

namespace scanloupe {

namespace {

/// A mistake in the arguments, or a failure of a command.
struct Failure {
    std::string what, nextStep;
    int code = exitUserError;
};

/// Reports a failure: as text, and with --json as a document unless the command has printed one.
/// @param sentences failure.what with line feeds in names escaped
int tell(const Failure& failure, const std::string& sentences, cli::Session& session) {
    session.console.error("scanloupe-cli: " + sentences +
                          (failure.nextStep.empty() ? "" : "\n  " + failure.nextStep));
    if (!session.hasOnlyJson() || session.hasPrintedJson())
        return failure.code;
    const nlohmann::ordered_json json = {{"schema", "scanloupe/error/1"},
                                         {"error", failure.what},
                                         {"next_step", failure.nextStep},
                                         {"exit_code", failure.code}};
    session.printJson(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    session.out.flush();
    return failure.code;
}

int tell(const Failure& failure, cli::Session& session) {
    return tell(failure, terminalLine(failure.what), session);
}

std::vector<std::string> namesOf(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({}))
        names.push_back(command->get_name());
    return names;
}

/// The failure if the first argument is no command.
std::optional<Failure> commandMistake(const CLI::App& app, std::span<const std::string> arguments) {
    const std::vector<std::string> names = namesOf(app);
    const std::string known =
        fmt::format("Take one of {}, or look at \"scanloupe-cli --help\".", fmt::join(names, ", "));
    if (arguments.empty())
        return Failure{"No command is given.", known};
    const std::string& first = arguments.front();
    if (first.starts_with('-') || std::ranges::find(names, first) != names.end())
        return std::nullopt;
    const auto meant = cli::nearestWord(first, names);
    return Failure{fmt::format("There is no command '{}'.", first),
                   meant ? fmt::format("Did you mean '{}'? {}", *meant, known) : known};
}

/// The failure if a command was given an unknown option.
std::optional<Failure> optionMistake(const CLI::App& app, std::span<const std::string> arguments) {
    const auto commands =
        app.get_subcommands([&](const CLI::App* one) { return one->get_name() == arguments.front(); });
    if (commands.empty())
        return std::nullopt;
    const CLI::App* command = commands.front();
    std::vector<std::string> known;
    for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames())
            known.push_back("--" + name);
    for (const std::string& argument : arguments.subspan(1)) {
        if (argument == "--")
            break; // all following arguments are files
        const std::string name = argument.substr(0, argument.find('='));
        if (!name.starts_with("--") || std::ranges::find(known, name) != known.end() ||
            command->get_option_no_throw(name) != nullptr)
            continue;
        const auto meant = cli::nearestWord(name, known);
        return Failure{fmt::format("'{}' has no option '{}'.", command->get_name(), name),
                       fmt::format("{}Run \"scanloupe-cli {} --help\" to see what can be said.",
                                   meant ? fmt::format("Did you mean '{}'? ", *meant) : "",
                                   command->get_name())};
    }
    return std::nullopt;
}

Failure emptyName(const std::string& option) {
    return {fmt::format("{} has an empty name.", option),
            "Name a file or a folder, or leave the option out."};
}

/// The failure if an option for a file or a folder has an empty name, as from an unset shell variable: it
/// would count as omitted.
std::optional<Failure> nameMistake(const CLI::App& app) {
    constexpr std::array types{"OUT", "FILE", "FOLDER", "R.json", "RECIPE"};
    for (const CLI::App* command : app.get_subcommands())
        for (const CLI::Option* option : command->get_options()) {
            const std::vector<std::string>& names = option->results();
            if (std::ranges::find(types, option->get_type_name()) != types.end() &&
                std::ranges::find(names, std::string()) != names.end())
                return emptyName(option->get_name());
        }
    return std::nullopt;
}

/// "help" and "help COMMAND" as "--help" and "COMMAND --help".
std::vector<std::string> withoutHelpCommand(std::span<const std::string> arguments) {
    std::vector<std::string> plain(arguments.begin(), arguments.end());
    if (plain.empty() || plain.front() != "help")
        return plain;
    plain.erase(plain.begin());
    plain.insert(plain.begin() + (plain.empty() ? 0 : 1), "--help");
    return plain;
}

/// Reads the arguments. @returns the exit code when the command ends here, else -1
int parse(CLI::App& app, std::span<const std::string> arguments, cli::Session& session) {
    if (const auto mistake = commandMistake(app, arguments))
        return tell(*mistake, session);
    try {
        // CLI11 expects the arguments in reverse order
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        session.out << app.help();
        return exitOk;
    } catch (const CLI::CallForVersion& version) {
        session.out << version.what() << '\n';
        return exitOk;
    } catch (const CLI::ParseError& error) {
        if (const auto mistake = optionMistake(app, arguments))
            return tell(*mistake, session);
        std::string command;
        for (const CLI::App* sub : app.get_subcommands())
            command = " " + sub->get_name();
        return tell({error.what(), "Run \"scanloupe-cli" + command + " --help\" to see what can be said."},
                    session);
    } catch (const EngineError& error) { // thrown by options whose value is parsed at once
        return tell({error.what(), error.nextStep()}, session);
    }
    const auto mistake = nameMistake(app);
    return mistake ? tell(*mistake, session) : -1;
}

/// Reports that standard output has failed.
int tellUnwritable(cli::Session& session) {
    if (session.stop.stop_requested())
        return exitInterrupted; // SIGPIPE: the reader has ended, so no data is lost
    return tell({"Standard output can't be written.",
                 "See whether its disk is full or the program that reads it has ended."},
                session);
}

int runAction(const cli::Action& action, const std::string& jsonFile, cli::Session& session) {
    try {
        if (!jsonFile.empty())
            session.writeJsonTo(jsonFile);
        action(session);
        session.console.clear();
        session.text().flush();
        session.out.flush();
        if (!session.out)
            return tellUnwritable(session);
        return exitOk;
    } catch (const cli::OutOfTolerance& outside) {
        session.out.flush();
        if (!session.out)
            return tellUnwritable(session);
        return tell({outside.what(), outside.nextStep(), exitOutside}, session);
    } catch (const cli::DoubtfulResult& doubt) {
        session.out.flush();
        if (!session.out)
            return tellUnwritable(session);
        return tell({doubt.what(), doubt.nextStep(), exitDoubtful}, session);
    } catch (...) {
        const ErrorMessage message = errorMessage(
            std::current_exception(),
            {.whenShort = "Take a larger voxel size or a smaller range, or close other programs.",
             .whenFault = "Please report it, with the command and the file that led here."});
        // a pipe without a reader requests a stop, too, and may be noticed first where it is written to
        if (message.kind == ErrorMessage::Kind::cancelled || session.stop.stop_requested())
            return tell({"stopped; the files written so far are complete", "", exitInterrupted}, session);
        const bool isFault = message.kind == ErrorMessage::Kind::fault;
        return tell({message.sentence, message.nextStep, isFault ? int(exitFault) : int(exitUserError)},
                    session);
    }
}

/// Reports damage of the inputs. @param code exit code of the command @returns exitUserError where there is
/// damage, except after an internal error or an interruption; else `code`
int tellDamage(int code, cli::Session& session) {
    session.warnOfLoaded();
    const std::vector<std::string>& damage = session.damage();
    if (damage.empty() || code == exitInterrupted)
        return code;
    const bool isDone = code == exitOk || code == exitOutside || code == exitDoubtful;
    std::vector<std::string> shown(damage.size());
    std::ranges::transform(damage, shown.begin(), terminalLine);
    tell({fmt::format("{}", fmt::join(damage, "\n  ")),
          fmt::format("{}Copy or export the incomplete files again; --strict rejects them.",
                      isDone ? "All else is done and written. " : "")},
         fmt::format("{}", fmt::join(shown, "\n  ")), session);
    return code == exitFault ? code : int(exitUserError);
}

} // namespace

std::span<const ExitMeaning> exitMeanings() {
    static constexpr ExitMeaning all[] = {
        {exitOk, "Done."},
        {exitFault, "A fault of the program."},
        {exitUserError,
         "An error that the user can correct: the message says what and how. With several scans, those that "
         "did not fail are done. The intact part of a truncated or damaged scan was used and written, unless "
         "--strict is given. Takes precedence over 3 and 4."},
        {exitOutside, "All is done and written, but a scan is outside the tolerance that was given."},
        {exitDoubtful, "All is done and written, but a result is doubtful or wrong: the message says which."},
        {exitInterrupted, "Stopped by a signal, with Ctrl-C for instance; no file is half-written."},
    };
    return all;
}

int runCommandLine(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                   const std::stop_token& stop) {
    cli::Console console(err, &err == &std::cerr && isatty(STDERR_FILENO) == 1);
    cli::PipedInputs inputs(stop);
    cli::Session session(console, out, stop, inputs);
    const auto given = [&](std::initializer_list<const char*> names) { // also where parsing fails
        return std::ranges::find_first_of(arguments, names) != arguments.end();
    };
    const cli::JsonArguments split = cli::splitJson(withoutHelpCommand(arguments));
    session.json = split.isGiven ? !split.hasFile : given({"--json"});
    session.quiet = given({"--quiet", "-q"});
    session.strict = given({"--strict"});
    if (session.quiet)
        console.makeQuiet();
    cli::Action action;
    const cli::ProgramPointer app = cli::commandTree(action);
    int ended = parse(*app, split.others, session);
    if (ended < 0 && split.hasFile && split.file.empty())
        ended = tell(emptyName("--json"), session);
    return ended >= 0 ? ended : tellDamage(runAction(action, split.file, session), session);
}

} // namespace scanloupe
