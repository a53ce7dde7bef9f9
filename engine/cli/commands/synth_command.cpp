// Implements `synth`: writes simulated lidar scans, or drives with their true poses.
#include "engine/cli/commands.h"
#include "engine/cli/commands/synth_options.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/formats.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/synth/synthetic_part.h"
#include "engine/io/trajectory.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace scanloupe::cli {

namespace fs = std::filesystem;

std::vector<std::string> frameFiles(const OutputTarget& to, std::uint64_t count, const SynthOptions& options,
                                    Session& session) {
    const fs::path& target = to.path;
    if (isDescriptor(target))
        throw EngineError(
            fmt::format("Several scans can't be written to the pipe or device '{}'.", options.target),
            options.frames > 0 ? "Name a file, or leave --frames out." : "Name a file, or give --pose once.");
    std::vector<std::string> files;
    for (std::uint64_t f = 0; f < count; ++f) {
        const fs::path file = target.parent_path() / fmt::format("{}_{:04}{}", target.stem().string(), f + 1,
                                                                 target.extension().string());
        session.files.addOutput(file, {});
        files.push_back(file.string());
    }
    return files;
}

void printSynthJson(const std::vector<std::string>& files, std::span<const std::uint64_t> points,
                    const std::optional<OutputTarget>& poses, const SynthOptions& options, Session& session) {
    nlohmann::ordered_json json = {{"schema", "scanloupe/synth/1"},
                                   {"files", files},
                                   {"points", points.front()},
                                   {"seed", options.params.seed}};
    if (!options.sensor.sensor.empty())
        json["points_of_files"] = std::vector(points.begin(), points.end());
    if (poses)
        json["poses"] = poses->path.string();
    session.printJson(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

namespace {

/// Writes each frame of a drive, in the sensor's frame, to a file of its own, and the true poses.
void runDrive(const SynthOptions& options, const OutputTarget& to, Session& session) {
    const SyntheticDrive drive(options.params, options.frames, options.params.points);
    std::optional<OutputTarget> poses;
    if (!options.poses.empty())
        poses = session.poseTarget(options.poses);
    const auto progress = session.console.step(fmt::format("writing {}", counted(drive.frames, "frame")));
    const std::vector<std::string> files = frameFiles(to, drive.frames, options, session);
    Trajectory truth;
    for (std::uint64_t f = 0; f < drive.frames; ++f) {
        writeCloud(files[f], drive.cloud(f, options.normals, session.stop), {}, session.stop);
        truth.poses.push_back(drive.pose(0).inverse() * drive.pose(f));
        truth.stamps.push_back((double(f) + 0.5) / double(drive.frames) * synth::scanDuration(drive.params));
        progress(double(f + 1) / double(drive.frames));
    }
    if (poses)
        writeTrajectory(poses->path, truth, poseFormatOf(*poses), session.stop);
    session.console.clear();
    session.text() << fmt::format("{}: {} of {} each\n", to.path.string(), counted(drive.frames, "frame"),
                                  counted(drive.params.pointsPerRevolution, "point"));
    if (session.json)
        printSynthJson(files, {&drive.params.pointsPerRevolution, 1}, poses, options, session);
}

/// Prints the file, number of points and seed of the scan that was written.
void printScan(const PointCloud& cloud, const OutputTarget& to, const SynthOptions& options,
               Session& session) {
    session.console.clear();
    session.text() << withSize(fmt::format("{}: {}", to.path.string(), counted(cloud.size(), "point")),
                               to.path)
                   << '\n';
    const std::uint64_t points = cloud.size();
    if (session.json)
        printSynthJson({to.path.string()}, {&points, 1}, std::nullopt, options, session);
}

void writeScan(const PointCloud& cloud, const OutputTarget& to, Session& session) {
    WriteOptions writing;
    writing.ending = to.ending;
    writing.progress = session.console.step("writing " + to.path.string());
    writeCloud(to.path, cloud, writing, session.stop);
}

/// Writes a scan of the part with its defects and, if requested, the CAD model without them.
void runPart(const SynthOptions& options, const OutputTarget& to, Session& session) {
    if (options.frames > 0 || !options.poses.empty())
        throw EngineError("--scene part can't be combined with --frames or --poses.",
                          "Leave these options out, or use another scene such as street.");
    std::optional<OutputTarget> model;
    if (!options.model.empty())
        model = session.target(options.model, meshEndings());
    PartScanParams params;
    params.points = options.params.points;
    params.seed = options.params.seed;
    params.noise = options.noise.value_or(params.noise);
    if (model) {
        WriteOptions writing;
        writing.ending = model->ending;
        writeMesh(model->path, partModel(session.stop), {}, writing, session.stop);
        session.text() << fmt::format("{}: CAD model\n", model->path.string());
    }
    const PointCloud cloud = partScan(
        params, options.normals,
        session.console.step(fmt::format("generating {}", counted(params.points, "point"))), session.stop);
    writeScan(cloud, to, session);
    printScan(cloud, to, options, session);
}

synth::Scene sceneOf(const std::string& name) {
    const auto scene = std::ranges::find(kSceneNames, name);
    if (scene == kSceneNames.end())
        throw EngineError(fmt::format("--scene {} needs --sensor.", name),
                          "Add a sensor, such as --sensor hdl32.");
    return synth::Scene(scene - kSceneNames.begin());
}

void runSynth(SynthOptions options, Session& session) {
    const OutputTarget to = session.target(options.target, cloudEndings());
    const bool isPart = options.scene == "part";
    if (!isPart && !options.model.empty())
        throw EngineError("--model needs --scene part, because only the part has a CAD model.",
                          "Give --scene part, or leave --model out.");
    if (!options.sensor.sensor.empty())
        return runSensor(options, to, session);
    if (isPart)
        return runPart(options, to, session);
    options.params.scene = sceneOf(options.scene);
    if (options.frames > 0)
        return runDrive(options, to, session);
    if (!options.poses.empty())
        throw EngineError("--poses needs a drive of several frames (--frames).",
                          "Add --frames, or leave --poses out.");
    auto progress =
        session.console.step(fmt::format("generating {}", counted(options.params.points, "point")));
    const PointCloud cloud = syntheticCloud(options.params, options.normals, progress, session.stop);
    writeScan(cloud, to, session);
    printScan(cloud, to, options, session);
}

} // namespace

void addSynthCommand(Command program, Action& action) {
    Command command = program.subcommand(
        "synth", "Generate a scan: a simulated spinning lidar in a scene with known ground truth");
    auto options = std::make_shared<SynthOptions>();
    std::vector<std::string> scenes(kSceneNames.begin(), kSceneNames.end());
    scenes.emplace_back("part");
    for (const std::string place : kPlaceNames)
        if (std::ranges::find(scenes, place) == scenes.end())
            scenes.push_back(place);
    command
        .option("file", options->target,
                fmt::format("The scan to write: {}", fmt::join(cloudEndings(), ", ")))
        .required();
    command
        .option("--scene", options->scene,
                "street: ground, walls, poles, cars; room; bumpy: a bumpy sphere; part: a machined part of "
                "12 cm with "
                "eleven defects, scanned from all sides. With --sensor: street and room, different for each "
                "seed; corridor: "
                "an endless bare corridor; cluttered: a corridor with cupboards; racks: racks every 4 m; "
                "field: flat ground with few objects")
        .oneOf(scenes)
        .typeName(fmt::format("{}", fmt::join(scenes, "|")))
        .showDefault();
    command
        .option("--model", options->model,
                "Write the CAD model of the part, without defects: .stl, .ply, ...")
        .typeName("FILE");
    const Option points =
        command.option("--points", options->params.points, "Number of points, 1000 to 1000000000")
            .typeName("N")
            .showDefault();
    command
        .option("--seed", options->params.seed,
                "Seed of the random numbers; the same seed generates the same scan")
        .typeName("N")
        .showDefault();
    command
        .option<double>(
            "--noise",
            [options](double noise) {
                options->params.rangeNoise = noise;
                options->noise = noise;
            },
            "Standard deviation of the noise along the ray, m; for --scene part along the normal, default "
            "0.00005")
        .typeName("S")
        .showDefault(fmt::format("{:g}", options->params.rangeNoise));
    command
        .option("--frames", options->frames,
                "Generate a drive of this number of files (FILE_0001, FILE_0002, ...), each one revolution "
                "with --points "
                "points in the sensor's frame, or one revolution of --sensor; existing files of these names "
                "are overwritten")
        .typeName("N");
    command
        .option(
            "--poses", options->poses,
            "Write the true poses of the sensor relative to the first frame: KITTI format, or TUM for .tum")
        .typeName("FILE");
    addSensorOptions(command, options->sensor, points);
    command.flag("--normals", options->normals, "Also write the true normals");
    addJsonOption(command, "Write JSON for programs: the files, their numbers of points, and the seed");
    command.footer(
        "Attributes: intensity, time, ring, sensor_x, sensor_y, sensor_z (position of the sensor).\n"
        "Examples:\n"
        "  scanloupe-cli synth room.pcd --scene room --points 200000 --noise 0.005\n"
        "  scanloupe-cli synth part.ply --scene part --model part.stl\n"
        "  scanloupe-cli synth drive/f.ply --frames 100 --points 65536 --poses truth.txt\n"
        "  scanloupe-cli synth c.pcd --scene corridor --sensor vlp16 --pose 0,0,1.2,0 --pose 0.5,0,1.2,0\n"
        "  scanloupe-cli synth kitti/f.bin --sensor hdl64 --frames 60 --speed 10 --poses truth.txt");
    command.whenParsed(
        [&action, options] { action = [options](Session& session) { runSynth(*options, session); }; });
}

} // namespace scanloupe::cli
