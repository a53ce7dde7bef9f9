// Parses the command line with CLI11, runs the command, and maps exceptions to exit codes.
#include "engine/cli/command_line.h"

#include "engine/cli/commands.h"
#include "engine/cloud/error_message.h"
#include "engine/compute/build_info.h"
#include "engine/io/formats.h"
#include "engine/io/scan_reader.h"
#include "kernels/core/device.h"
#include "kernels/core/parallel.h"

#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>
#include <unistd.h>
#include <vector>

namespace scanloupe {

namespace {

constexpr const char* kExamples = R"(Examples:
  scanloupe-cli run street.ply --mesh street_mesh.ply --image street.png
      a mesh and a picture, with everything chosen from the data and said
  scanloupe-cli run sweep.bin --columns 5 --voxel-size 0.075,0.075,0.2 --range=-54,-54,-5,54,54,3 --voxels sweep.npy
      the voxels of a nuScenes sweep in a given range
  scanloupe-cli run frames/ --recipe car.json --timings timings.json
      each scan of a folder, with the least, median and greatest time of every stage
  scanloupe-cli align frames/ --poses poses.txt --merged street.ply
      where each scan of a drive was taken, and all of them as one
  scanloupe-cli synth street.ply --points 1000000
      a scan whose truth is known, to try things on
  scanloupe-cli info scan.pcd --json | jq .points
  scanloupe-cli doctor
      what of this machine can be used

Each command has its own --help. Exit codes: 0 done, 2 something you can mend (it says how), 1 a fault of the program,
130 stopped, with Ctrl-C for instance.)";

std::string versionText() {
    const auto device = probeDevice();
    const std::string gpu =
        device.usable ? fmt::format("{}, compute capability {}.{}", device.name, device.major, device.minor)
                      : device.reason;
    const BuildInfo info = buildInfo();
    return fmt::format(
        "scanloupe-cli {}\nbackends  CPU: {} threads\n          CUDA: {}\nbuilt     {} with {}, {}",
        versionAndCommit(), parallelThreads(), gpu, info.buildType, info.compiler,
        info.cuda.empty() ? "without CUDA" : "CUDA " + info.cuda);
}

int userError(cli::Console& console, const std::string& what, const std::string& nextStep) {
    console.line("scanloupe-cli: " + what + "\n  " + nextStep);
    return exitUserError;
}

/// The error message if the first argument is no command; empty if it is one, or an option.
std::string commandError(const CLI::App& app, std::span<const std::string> arguments) {
    if (arguments.empty())
        return "No command is given.";
    const std::string& first = arguments.front();
    const auto commands =
        app.get_subcommands([&first](const CLI::App* sub) { return sub->check_name(first); });
    return first.starts_with('-') || !commands.empty() ? "" : "There is no command '" + first + "'.";
}

/// Reads the arguments. @returns the exit code when the command ends here, else -1 with `action` filled in.
int parse(CLI::App& app, std::span<const std::string> arguments, std::ostream& out, cli::Console& console) {
    if (const std::string mistake = commandError(app, arguments); !mistake.empty())
        return userError(console, mistake,
                         "Take one of run, align, synth, info, convert, recipe and doctor, or look at "
                         "\"scanloupe-cli --help\".");
    try {
        // CLI11 expects the arguments in reverse order
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        out << app.help();
        return exitOk;
    } catch (const CLI::CallForVersion& version) {
        out << version.what() << '\n';
        return exitOk;
    } catch (const CLI::ParseError& error) {
        std::string command;
        for (const CLI::App* sub : app.get_subcommands())
            command = " " + sub->get_name();
        return userError(console, error.what(),
                         "Run \"scanloupe-cli" + command + " --help\" to see what can be said.");
    }
    return -1;
}

int runAction(const cli::Action& action, cli::Session& session) {
    try {
        action(session);
        session.console.clear();
        session.out.flush();
        if (!session.out && session.stop.stop_requested())
            return exitInterrupted; // SIGPIPE: the reader has ended, and nothing is lost
        if (!session.out)
            return userError(session.console, "Standard output can't be written.",
                             "See whether its disk is full or the program that reads it has ended.");
        return exitOk;
    } catch (...) {
        const ErrorMessage message = errorMessage(
            std::current_exception(),
            {.whenShort = "Take a larger voxel size or a smaller range, or close other programs.",
             .whenFault = "Please report it, with the command and the file that led here."});
        if (message.kind == ErrorMessage::Kind::cancelled) {
            session.console.line("scanloupe-cli: stopped; what was written so far is whole");
            return exitInterrupted;
        }
        const int mistake = userError(session.console, message.sentence, message.nextStep);
        return message.kind == ErrorMessage::Kind::fault ? int(exitFault) : mistake;
    }
}

} // namespace

int runCommandLine(std::span<const std::string> arguments, std::ostream& out, std::ostream& err,
                   const std::stop_token& stop) {
    cli::Console console(err, &err == &std::cerr && isatty(STDERR_FILENO) == 1);
    CLI::App app("Looks into 3D scans: voxels, surface and pixels, and what every stage costs.",
                 "scanloupe-cli");
    app.footer(fmt::format("{}\n\nScans and meshes that are read: {}. Volumes: .raw.", kExamples,
                           fmt::join(scanEndings(), ", ")));
    app.set_version_flag("--version", versionText, "The version, the backends and the compiler");
    app.require_subcommand(1);
    cli::Action action;
    cli::addRunCommand(app, action);
    cli::addAlignCommand(app, action);
    cli::addSweepCommand(app, action);
    cli::addSynthCommand(app, action);
    cli::addInfoCommand(app, action);
    cli::addConvertCommand(app, action);
    cli::addRecipeCommand(app, action);
    cli::addDoctorCommand(app, action);

    const int ended = parse(app, arguments, out, console);
    if (ended >= 0)
        return ended;
    cli::Session session{console, out, stop};
    return runAction(action, session);
}

} // namespace scanloupe
