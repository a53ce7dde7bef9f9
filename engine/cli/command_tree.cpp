// Declares the commands of scanloupe-cli and the options that all commands share.
#include "engine/cli/command_tree.h"

#include "engine/cli/command_line.h"
#include "engine/cli/commands.h"
#include "engine/cli/options.h"
#include "engine/cli/output/text.h"
#include "engine/compute/build_info.h"
#include "engine/io/formats.h"
#include "kernels/core/device.h"
#include "kernels/core/parallel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe::cli {

namespace {

constexpr const char* kExamples = R"(Examples:
  scanloupe-cli run street.ply --mesh street_mesh.ply --image street.png
      writes a mesh and a picture; omitted parameters are chosen from the data and printed
  scanloupe-cli run sweep.bin --columns 5 --voxel-size 0.075,0.075,0.2 --range=-54,-54,-5,54,54,3 --voxels sweep.npy
      writes the voxels of a nuScenes sweep in a given range
  scanloupe-cli run frames/ --recipe car.json --timings timings.json
      processes each scan of a folder, and writes minimum, median and maximum time of every stage
  scanloupe-cli align frames/ --poses poses.txt --merged street.ply
      estimates the pose of each scan of a drive, and merges the aligned scans
  scanloupe-cli compare part.ply part.stl --reference-unit mm --tolerance 0.0002
      computes the deviations of a part from its CAD model; the exit code is 3 if the part is outside tolerance
  scanloupe-cli synth street.ply --points 1000000
      generates a scan with known ground truth, for experiments
  scanloupe-cli info scan.pcd --json | jq .points
  scanloupe-cli doctor
      checks which devices of this machine can be used

Files may be pipes: "-", /dev/stdin, /dev/stdout and process substitution, prefixed with the format where no file
extension names it: bin:- or npz:-. "scanloupe-cli help COMMAND" explains a command.)";

/// Returns the list of exit codes for the help text, one line each.
std::string exitCodesText() {
    std::string text = "Exit codes:\n";
    for (const ExitMeaning& one : exitMeanings()) {
        std::string meaning = wrapped(one.meaning, 110);
        for (std::size_t at = 0; (at = meaning.find('\n', at)) != std::string::npos; at += 7)
            meaning.insert(at + 1, "       ");
        text += fmt::format("  {:>3}  {}\n", one.code, meaning);
    }
    return text;
}

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

} // namespace

ProgramPointer commandTree(Action& action) {
    ProgramPointer tree =
        makeProgram("scanloupe-cli",
                    "Process 3D scans: voxels, surface, picture, and the time and memory of every stage.");
    Command program(tree.get());
    program.footer(fmt::format("{}\n\n{}\nSupported scans and meshes: {}. Supported volumes: .raw.",
                               kExamples, exitCodesText(), fmt::join(scanEndings(), ", ")));
    program.versionFlag("--version", versionText, "Print the version, the backends and the compiler");
    program.requireSubcommand();
    addRunCommand(program, action);
    addAlignCommand(program, action);
    addCompareCommand(program, action);
    addChangeCommand(program, action);
    addMeshDistanceCommand(program, action);
    addSweepCommand(program, action);
    addSynthCommand(program, action);
    addInfoCommand(program, action);
    addConvertCommand(program, action);
    addRecipeCommand(program, action);
    addDoctorCommand(program, action);
    for (Command command : program.subcommands())
        command.flag("-q,--quiet", "Print errors only, and no progress");
    return tree;
}

void addJsonOption(Command command, const std::string& help) {
    command
        .option<std::string>(
            "--json", [](const std::string&) {}, help + "; to standard output, or to a file if one is given")
        .typeName("[FILE]");
}

} // namespace scanloupe::cli
