#include "engine/cli/commands/commands.h"
#include "engine/cli/run_outputs.h"
#include "engine/cli/text.h"
#include "engine/cloud/synthetic_cloud.h"
#include "engine/compute/memory.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace scanloupe::cli {

namespace {

struct SynthOptions {
    std::string target;
    synth::ScanParams params;
    bool normals = false;
};

void runSynth(const SynthOptions& options, Session& session) {
    checkTarget(options.target, cloudEndings(), {});
    auto progress = session.console.step(fmt::format("making {}", counted(options.params.points, "point")));
    const PointCloud cloud = syntheticCloud(options.params, options.normals, progress, session.stop);
    WriteOptions writing;
    writing.progress = session.console.step("writing " + options.target);
    writeCloud(options.target, cloud, writing, session.stop);
    session.console.clear();
    session.out << fmt::format("{}: {}, {}\n", options.target, counted(cloud.size(), "point"),
                               formatBytes(std::filesystem::file_size(options.target)));
}

} // namespace

void addSynthCommand(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "synth", "Make a scan: a simulated spinning lidar in a scene whose truth is known");
    auto options = std::make_shared<SynthOptions>();
    const std::map<std::string, synth::Scene> scenes{
        {"street", synth::Scene::street}, {"room", synth::Scene::room}, {"bumpy", synth::Scene::bumpy}};
    command
        ->add_option("file", options->target,
                     fmt::format("Scan to write: {}", fmt::join(cloudEndings(), ", ")))
        ->required();
    command
        ->add_option("--scene", options->params.scene,
                     "street: ground, walls, poles, cars; room; bumpy: a sphere")
        ->transform(CLI::CheckedTransformer(scenes).description(""))
        ->type_name("street|room|bumpy")
        ->default_str("street");
    command->add_option("--points", options->params.points, "How many, 1000 to 1000000000")
        ->type_name("N")
        ->capture_default_str();
    command->add_option("--seed", options->params.seed, "The same seed makes the same scan")
        ->type_name("N")
        ->capture_default_str();
    command->add_option("--noise", options->params.rangeNoise, "Standard deviation along the ray, m")
        ->type_name("S")
        ->capture_default_str();
    command->add_flag("--normals", options->normals, "Write the true normals, too");
    command->footer(
        "Attributes: intensity, time, ring, sensor_x, sensor_y, sensor_z (where the sensor was).\n"
        "Example: scanloupe-cli synth room.pcd --scene room --points 200000 --noise 0.005");
    command->callback(
        [&action, options] { action = [options](Session& session) { runSynth(*options, session); }; });
}

} // namespace scanloupe::cli
