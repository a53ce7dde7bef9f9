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

/// A wrong argument or a failed command, as reported to the user.
struct Failure {
    std::string what, nextStep;
    int code = exitUserError;
};

/// Reports a failure as text on stderr and, with --json, as a JSON document unless the command has already
/// printed one.
/// @param sentences `failure.what` with the line feeds in file names escaped
/// @returns the exit code of the failure
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

/// Returns the failure to report if the first argument is not the name of a command.
std::optional<Failure> commandMistake(const CLI::App& app, std::span<const std::string> arguments) {
    const std::vector<std::string> names = namesOf(app);
    const std::string known =
        fmt::format("Use one of {}, or run \"scanloupe-cli --help\".", fmt::join(names, ", "));
    if (arguments.empty())
        return Failure{"The command is missing.", known};
    const std::string& first = arguments.front();
    if (first.starts_with('-') || std::ranges::find(names, first) != names.end())
        return std::nullopt;
    const auto meant = cli::nearestWord(first, names);
    return Failure{fmt::format("Unknown command '{}'.", first),
                   meant ? fmt::format("Did you mean '{}'? {}", *meant, known) : known};
}

/// Returns the failure to report if a command was given an unknown option.
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
            break; // after "--" every argument is a file name
        const std::string name = argument.substr(0, argument.find('='));
        if (!name.starts_with("--") || std::ranges::find(known, name) != known.end() ||
            command->get_option_no_throw(name) != nullptr)
            continue;
        const auto meant = cli::nearestWord(name, known);
        return Failure{fmt::format("The command '{}' has no option '{}'.", command->get_name(), name),
                       fmt::format("{}Run \"scanloupe-cli {} --help\" to list its options.",
                                   meant ? fmt::format("Did you mean '{}'? ", *meant) : "",
                                   command->get_name())};
    }
    return std::nullopt;
}

Failure emptyName(const std::string& option) {
    return {fmt::format("The value of {} is empty, but it must name a file or a folder.", option),
            "Give a name, or leave the option out."};
}

/// Returns the failure to report if a file or folder option has an empty value, for instance from an unset
/// shell variable. Otherwise the option would silently count as omitted.
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

/// Translates "help" and "help COMMAND" into "--help" and "COMMAND --help".
std::vector<std::string> withoutHelpCommand(std::span<const std::string> arguments) {
    std::vector<std::string> plain(arguments.begin(), arguments.end());
    if (plain.empty() || plain.front() != "help")
        return plain;
    plain.erase(plain.begin());
    plain.insert(plain.begin() + (plain.empty() ? 0 : 1), "--help");
    return plain;
}

/// Parses the arguments. @returns the exit code if the program ends after parsing, else -1
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
        return tell(
            {error.what(), "Run \"scanloupe-cli" + command + " --help\" to list its arguments and options."},
            session);
    } catch (const EngineError& error) { // thrown by options whose value is parsed immediately
        return tell({error.what(), error.nextStep()}, session);
    }
    const auto mistake = nameMistake(app);
    return mistake ? tell(*mistake, session) : -1;
}

/// Reports that standard output could not be written. @returns the exit code
int tellUnwritable(cli::Session& session) {
    if (session.stop.stop_requested())
        return exitInterrupted; // SIGPIPE: the reader closed the pipe on purpose, so nothing is lost
    return tell({"Standard output could not be written.",
                 "Check whether the disk is full, or whether the program that reads the output has ended."},
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
            {.whenShort = "Use a larger voxel size or a smaller range, or close other programs.",
             .whenFault = "Please report this error together with the command and the input file."});
        // A pipe closed by its reader also requests a stop; the write error may be noticed before the stop
        // request.
        if (message.kind == ErrorMessage::Kind::cancelled || session.stop.stop_requested())
            return tell({"Stopped. The files written so far are complete.", "", exitInterrupted}, session);
        const bool isFault = message.kind == ErrorMessage::Kind::fault;
        return tell({message.sentence, message.nextStep, isFault ? int(exitFault) : int(exitUserError)},
                    session);
    }
}

/// Reports damage of the inputs.
/// @param code exit code of the command
/// @returns exitUserError if an input is damaged, except after an internal error or an interruption;
/// otherwise `code`
int tellDamage(int code, cli::Session& session) {
    session.warnOfLoaded();
    const std::vector<std::string>& damage = session.damage();
    if (damage.empty() || code == exitInterrupted)
        return code;
    const bool isDone = code == exitOk || code == exitOutside || code == exitDoubtful;
    std::vector<std::string> shown(damage.size());
    std::ranges::transform(damage, shown.begin(), terminalLine);
    tell({fmt::format("{}", fmt::join(damage, "\n  ")),
          fmt::format("{}Copy or export the damaged files again. Use --strict to reject damaged files.",
                      isDone ? "The results were computed from the intact part and written.  " : "")},
         fmt::format("{}", fmt::join(shown, "\n  ")), session);
    return code == exitFault ? code : int(exitUserError);
}

} // namespace

std::span<const ExitMeaning> exitMeanings() {
    static constexpr ExitMeaning all[] = {
        {exitOk, "Done."},
        {exitFault, "Internal error of the program."},
        {exitUserError,
         "An error that the user can correct; the message says how. With several scans, all scans that "
         "did not fail are processed. The intact part of a truncated or damaged scan was used, unless "
         "--strict is given. Takes precedence over exit codes 3 and 4."},
        {exitOutside, "All results are written, but a scan is outside the given tolerance."},
        {exitDoubtful,
         "All results are written, but a result is rated doubtful or wrong; the message says which."},
        {exitInterrupted, "Stopped by a signal such as Ctrl-C. No incomplete file is left behind."},
    };
    return all;
}

int runCommandLine(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                   const std::stop_token& stop) {
    cli::Console console(err, &err == &std::cerr && isatty(STDERR_FILENO) == 1);
    cli::PipedInputs inputs(stop);
    cli::Session session(console, out, stop, inputs);
    const auto given = [&](std::initializer_list<const char*> names) { // searches the raw arguments, because
                                                                       // --json and --quiet must also work
                                                                       // when parsing fails
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
