// Declares the commands of scanloupe-cli, with the options that all have.
#include "engine/cli/command_tree.h"

#include "engine/cli/command_line.h"
#include "engine/cli/commands.h"
#include "engine/cli/text.h"
#include "engine/compute/build_info.h"
#include "engine/io/formats.h"
#include "kernels/core/device.h"
#include "kernels/core/parallel.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe::cli {

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
  scanloupe-cli compare part.ply part.stl --reference-unit mm --tolerance 0.0002
      how much a part deviates from its model, and where; exit code 3 when it is outside tolerance
  scanloupe-cli synth street.ply --points 1000000
      a scan whose truth is known, to try things on
  scanloupe-cli info scan.pcd --json | jq .points
  scanloupe-cli doctor
      what of this machine can be used

Files may be pipes: "-", /dev/stdin, /dev/stdout and process substitution, with the format in front where no ending
tells it: bin:- or npz:-. Each command has its own --help.)";

/// A line for each exit code.
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

/// A flag that the session is told of before parsing.
void addFlag(CLI::App& command, const char* name, const std::string& help) {
    command.add_flag(name, help);
}

} // namespace

std::unique_ptr<CLI::App> commandTree(Action& action) {
    auto app = std::make_unique<CLI::App>(
        "Looks into 3D scans: voxels, surface and pixels, and what every stage costs.", "scanloupe-cli");
    app->footer(fmt::format("{}\n\n{}\nScans and meshes that are read: {}. Volumes: .raw.", kExamples,
                            exitCodesText(), fmt::join(scanEndings(), ", ")));
    app->set_version_flag("--version", versionText, "The version, the backends and the compiler");
    app->require_subcommand(1);
    addRunCommand(*app, action);
    addAlignCommand(*app, action);
    addCompareCommand(*app, action);
    addChangeCommand(*app, action);
    addMeshDistanceCommand(*app, action);
    addSweepCommand(*app, action);
    addSynthCommand(*app, action);
    addInfoCommand(*app, action);
    addConvertCommand(*app, action);
    addRecipeCommand(*app, action);
    addDoctorCommand(*app, action);
    for (CLI::App* command : app->get_subcommands({}))
        addFlag(*command, "-q,--quiet", "Nothing but errors is said, and no progress");
    return app;
}

void addJsonFlag(CLI::App& command, const std::string& help) {
    addFlag(command, "--json", help);
}

} // namespace scanloupe::cli
