// Writes the sweeps of simulated real sensors for `synth`, with their true poses.
#include "engine/cli/commands/synth_options.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/trajectory.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>

namespace scanloupe::cli {

namespace {

constexpr double kSensorDegree = std::numbers::pi / 180;

/// Parses "x,y,z,yaw": position in metres, heading in degrees.
RigidTransform sensorPoseFrom(const std::string& text) {
    const std::vector<double> n = parseNumbers(text);
    if (n.size() != 4)
        throw EngineError(fmt::format("--pose must have 4 numbers (got {}).", n.size()),
                          "Give x, y, z in metres and the heading in degrees: --pose=2.5,0,1.8,90.");
    return fromRollPitchYaw({0, 0, n[3] * kSensorDegree}, {n[0], n[1], n[2]});
}

synth::Place sensorPlaceOf(const std::string& scene) {
    const auto place = std::ranges::find(kPlaceNames, scene);
    if (place == kPlaceNames.end())
        throw EngineError(fmt::format("--sensor can't be used with --scene {}.", scene),
                          fmt::format("Use one of these scenes: {}.", fmt::join(kPlaceNames, ", ")));
    return synth::Place(place - kPlaceNames.begin());
}

synth::LidarModel sensorModelOf(const SensorOptions& options) {
    const auto model = std::ranges::find(synth::kLidarModels, options.sensor,
                                         [](const synth::LidarModel& one) { return std::string(one.name); });
    if (model == synth::kLidarModels.end())
        throw Fault("the parser accepted an unknown sensor");
    synth::LidarModel lidar = *model;
    if (options.columns && !(*options.columns >= 1 && *options.columns <= 1e5))
        throw EngineError(fmt::format("--columns must be between 1 and 100000 (got {:g}).", *options.columns),
                          "Give the number of directions per revolution, such as 1024.");
    lidar.columns = int(options.columns.value_or(lidar.columns));
    lidar.farthest = options.range.value_or(lidar.farthest);
    return lidar;
}

/// Returns the requested sweeps, one per file.
std::vector<synth::LidarSweep> sweepsOf(const SynthOptions& options, synth::Place place) {
    const SensorOptions& sensor = options.sensor;
    if (!std::isfinite(sensor.speed) || !(std::abs(sensor.yawRate) <= 360))
        throw EngineError(fmt::format("--speed must be finite and --yaw-rate between -360 and 360 degrees/s "
                                      "(got {:g} m/s and {:g} degrees/s).",
                                      sensor.speed, sensor.yawRate),
                          "Use values such as --speed 10 --yaw-rate 5.");
    synth::LidarSweep sweep;
    sweep.lidar = sensorModelOf(sensor);
    sweep.pose.translation.z = usualHeight(place);
    sweep.twist = {{sensor.speed, 0, 0}, {0, 0, sensor.yawRate * kSensorDegree}};
    sweep.isDeskewed = !sensor.isSkewed;
    sweep.rangeNoise = options.params.rangeNoise;
    sweep.dropOuts.random = sensor.dropOuts;
    sweep.seed = options.params.seed;
    std::vector<synth::LidarSweep> sweeps;
    for (const std::string& pose : sensor.poses) {
        sweep.pose = sensorPoseFrom(pose);
        sweep.frame = sweeps.size();
        sweeps.push_back(sweep);
    }
    if (sweeps.empty())
        sweeps.push_back(sweep);
    if (options.frames == 0)
        return sweeps;
    if (sweeps.size() > 1)
        throw EngineError("--frames needs a single start pose, but --pose is given several times.",
                          "Give --pose once, or leave --frames out.");
    return driveSweeps(sweeps.front(), options.frames);
}

/// Checks that the sensor is never inside an object. @throws EngineError
void checkFreedom(const std::vector<synth::LidarSweep>& sweeps, const synth::SolidScene& scene) {
    for (const synth::LidarSweep& sweep : sweeps)
        if (const Vec3d at = sweep.pose.translation; distance(scene.view(), at) <= 0)
            throw EngineError(
                fmt::format("The sensor would be inside an object at {:g}, {:g}, {:g}.", at.x, at.y, at.z),
                "Use another --pose, or a shorter drive (--frames, --speed).");
}

} // namespace

void addSensorOptions(Command command, SensorOptions& options, const Option& points) {
    std::vector<std::string> names;
    for (const synth::LidarModel& model : synth::kLidarModels)
        names.emplace_back(model.name);
    const Option sensor = command
                              .option("--sensor", options.sensor,
                                      "Simulate a real lidar with its rings and range limit: one revolution "
                                      "per file, in the sensor's "
                                      "frame; rays without a return give no point")
                              .oneOf(names)
                              .typeName(fmt::format("{}", fmt::join(names, "|")))
                              .excludes(points);
    command
        .option("--pose", options.poses,
                "Position of the sensor in the scene, m, and its heading in degrees; repeat the option for "
                "several "
                "files (FILE_0001, FILE_0002, ...)")
        .typeName("X,Y,Z,YAW")
        .oneValueEach()
        .needs(sensor);
    command
        .option("--speed", options.speed,
                "Forward speed of the sensor, m/s; it also moves during a revolution")
        .typeName("V")
        .needs(sensor);
    command.option("--yaw-rate", options.yawRate, "Turning rate of the sensor to the left, degrees/s")
        .typeName("W")
        .needs(sensor);
    command.flag("--skewed", options.isSkewed, "Do not correct points for the motion during a revolution")
        .needs(sensor);
    command
        .option("--columns", options.columns,
                "Number of directions per revolution; default: that of the sensor")
        .typeName("N")
        .needs(sensor);
    command.option("--range", options.range, "Range limit, m; default: that of the sensor")
        .typeName("R")
        .needs(sensor);
    command
        .option("--drop-outs", options.dropOuts,
                "Share of rays that are lost at random; the loss is higher at grazing angles and near the "
                "range limit")
        .typeName("P")
        .showDefault()
        .needs(sensor);
}

void runSensor(const SynthOptions& options, const OutputTarget& to, Session& session) {
    const synth::Place place = sensorPlaceOf(options.scene);
    const synth::SolidScene scene = makePlace(place, options.params.seed);
    const std::vector<synth::LidarSweep> sweeps = sweepsOf(options, place);
    checkFreedom(sweeps, scene);
    const bool isOne = options.frames == 0 && sweeps.size() == 1;
    if (isOne && !options.poses.empty())
        throw EngineError("--poses needs several scans, but only one is generated.",
                          "Add --frames or several --pose, or leave --poses out.");
    std::optional<OutputTarget> poses;
    if (!options.poses.empty())
        poses = session.poseTarget(options.poses);
    const std::vector<std::string> files =
        isOne ? std::vector{to.path.string()} : frameFiles(to, sweeps.size(), options, session);

    const auto progress = session.console.step(fmt::format("writing {}", counted(files.size(), "sweep")));
    Trajectory truth;
    std::vector<std::uint64_t> points;
    for (std::size_t f = 0; f < files.size(); ++f) {
        const PointCloud cloud = sweepCloud(sweeps[f], scene, options.normals, session.stop);
        WriteOptions writing;
        writing.ending = to.ending;
        writeCloud(files[f], cloud, writing, session.stop);
        points.push_back(cloud.size());
        truth.poses.push_back(sweeps[0].pose.inverse() * sweeps[f].pose);
        truth.stamps.push_back((double(f) + 0.5) * sweeps[f].lidar.turnSeconds);
        progress(double(f + 1) / double(files.size()));
    }
    if (poses)
        writeTrajectory(poses->path, truth, poseFormatOf(*poses), session.stop);
    session.console.clear();
    const auto [least, most] = std::ranges::minmax(points);
    session.text() << (isOne ? withSize(fmt::format("{}: {}", files[0], counted(points[0], "point")), to.path)
                             : fmt::format("{}: {} of {} to {}\n", to.path.string(),
                                           counted(files.size(), "sweep"), grouped(least),
                                           counted(most, "point")))
                   << (isOne ? "\n" : "");
    if (session.json)
        printSynthJson(files, points, poses, options, session);
}

} // namespace scanloupe::cli
