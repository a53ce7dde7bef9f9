// Aligns one pair of sweeps by surfaces, step by step as ScanAligner does. The pair is generated with its
// true pose, or read from files.
#include "tests/bench/bench_sweeps.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "kernels/core/cost.h"
#include "kernels/register/registration.h"
#include "tests/bench/median.h"
#include "tests/support/sweep_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <random>
#include <span>

namespace scanloupe::bench {

namespace {

constexpr double kSweepsCoarsest = 2; // metres; edge of the coarsest cells, the same as in ScanAligner
constexpr double kOffDegree = std::numbers::pi / 180;

using SweepsJson = nlohmann::ordered_json;

/// Two sweeps, and the pose at which their alignment starts.
struct SweepTask {
    std::vector<Vec3f> target, source; ///< [N, 3] metres
    RigidTransform start;              ///< T_target_source
    std::optional<RigidTransform> truth;
    double resolution = 2; ///< metres
};

/// Wall and CPU time since construction, milliseconds.
class CpuTimer {
public:
    std::array<double, 2> elapsedMs() const { return {m_wall.elapsedMs(), cpuMs() - m_cpu}; }

private:
    static double cpuMs() { return 1000 * double(std::clock()) / CLOCKS_PER_SEC; }
    WallTimer m_wall;
    double m_cpu = cpuMs();
};

test::SweepScene sceneOf(const std::string& name) {
    for (const auto& scenes : {std::span<const test::SweepScene>(test::kUniqueScenes),
                               std::span<const test::SweepScene>(test::kAmbiguousScenes)})
        for (const test::SweepScene scene : scenes)
            if (name == test::nameOf(scene))
                return scene;
    if (name == test::nameOf(test::SweepScene::field))
        return test::SweepScene::field;
    throw EngineError("There is no place '" + name + "'.", "Take street, room, cluttered corridor or field.");
}

/// A random motion about the sensor: shift and heading have any direction, the tilt is a tenth of the
/// heading.
RigidTransform startMotion(const SweepsOptions& options, std::mt19937& random) {
    const auto between = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    const double way = between(0, 2 * std::numbers::pi), metres = between(0, options.metres);
    const double most = options.degrees * kOffDegree, tilt = 0.1 * most;
    const Vec3d turns{between(-tilt, tilt), between(-tilt, tilt), between(-most, most)};
    const double up = between(-0.05, 0.05) * options.metres;
    return fromRollPitchYaw(turns, {metres * std::cos(way), metres * std::sin(way), up});
}

SweepTask generatedTask(const SweepsOptions& options) {
    test::SweepPair pair = test::makeSweepPair(sceneOf(options.place), options.seed);
    std::mt19937 random(options.seed);
    const RigidTransform start = pair.truth * startMotion(options, random);
    return {std::move(pair.target), std::move(pair.source), start, pair.truth, pair.resolution};
}

std::vector<Vec3f> finitePointsOf(const std::string& path) {
    const Buffer<Vec3f> points = readScan(path, {}, {})->floatView({});
    std::vector<Vec3f> finite;
    std::ranges::copy_if(points.span(), std::back_inserter(finite), [](Vec3f p) { return isFinite(p); });
    return finite;
}

SweepTask givenTask(const SweepsOptions& options) {
    SweepTask task{finitePointsOf(options.target), finitePointsOf(options.source), {}, {}};
    if (options.start.empty())
        return task;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column)
            task.start.rows[row][column] = options.start[std::size_t(4 * row + column)];
        task.start.translation[row] = options.start[std::size_t(4 * row + 3)];
    }
    return task;
}

void writePoints(const std::vector<Vec3f>& points, const std::string& path) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file || std::fwrite(points.data(), sizeof(Vec3f), points.size(), file) != points.size() ||
        std::fclose(file) != 0)
        throw EngineError("'" + path + "' can't be written.", "Choose another folder.");
}

SweepsJson toJson(const RigidTransform& pose) {
    SweepsJson rows = SweepsJson::array();
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column)
            rows.push_back(pose.rows[row][column]);
        rows.push_back(pose.translation[row]);
    }
    return rows;
}

/// Times of the steps, with one value for each repeat.
struct SweepStepTimes {
    std::vector<double> planes[2], maps[2], poses[2]; ///< wall and CPU milliseconds

    static void add(std::vector<double> (&times)[2], const CpuTimer& timer) {
        const auto ms = timer.elapsedMs();
        for (int i = 0; i < 2; ++i)
            times[i].push_back(ms[std::size_t(i)]);
    }
    SweepsJson toJson() const {
        return {{"planes", {median(planes[0]), median(planes[1])}},
                {"maps", {median(maps[0]), median(maps[1])}},
                {"pose", {median(poses[0]), median(poses[1])}}};
    }
};

} // namespace

void addSweepsOptions(CLI::App& app, SweepsOptions& options) {
    app.add_option("--place", options.place, "street, room, cluttered corridor, world, field, …");
    app.add_option("--seed", options.seed, "of the place, the sensor, the positions and the start");
    app.add_option("--metres", options.metres, "that the start is off by at most");
    app.add_option("--degrees", options.degrees, "that the start is turned by at most");
    app.add_option("--folder", options.folder, "writes the generated pair as target.bin and source.bin");
    auto* target = app.add_option("--target", options.target, "a scan, in place of a generated pair");
    app.add_option("--source", options.source, "a scan to align to it")->needs(target);
    app.add_option("--start", options.start, "of the source: three rows of four numbers")->expected(12);
    app.add_option("--method", options.method, "gicp, vgicp or plane")
        ->check(CLI::IsMember({"gicp", "vgicp", "plane"}));
    app.add_option("--repeats", options.repeats, "runs; medians are printed")->check(CLI::PositiveNumber);
}

int sweeps(const SweepsOptions& options) {
    const SweepTask task = options.target.empty() ? generatedTask(options) : givenTask(options);
    if (!options.folder.empty()) {
        writePoints(task.target, options.folder + "/target.bin");
        writePoints(task.source, options.folder + "/source.bin");
    }
    SurfaceScale scale;
    PointShapes targetShapes, sourceShapes;
    const ScanSight targetSight = firstSightOf(task.target, {}, {}, scale, targetShapes, {});
    RegistrationParams params;
    params.method = RegistrationMethod(std::ranges::find(kRegistrationMethodKeys, options.method) -
                                       std::begin(kRegistrationMethodKeys));
    SweepStepTimes times;
    RegistrationResult found;
    for (int i = 0; i < options.repeats; ++i) {
        const CpuTimer planes;
        const PointShapeParams shapes = shapeParamsOf(scale, {});
        targetShapes = cpu::findPointShapes(task.target, shapes, {});
        sourceShapes = cpu::findPointShapes(task.source, shapes, {});
        SweepStepTimes::add(times.planes, planes);
        const CpuTimer maps;
        const bool isOriented = targetSight.depth.isKnown();
        SurfacePyramid target(scale.spacing, kSweepsCoarsest, isOriented),
            source(scale.spacing, kSweepsCoarsest, isOriented);
        target.add(targetShapes, {}, {});
        source.add(sourceShapes, {}, {});
        SweepStepTimes::add(times.maps, maps);
        const CpuTimer pose;
        found = cpu::registerSurfaces(target, source, task.start, params, {});
        SweepStepTimes::add(times.poses, pose);
    }
    const ScanSight sourceSight = sightOf(task.source, sourceShapes, {}, {}, scale, {});
    const std::array targets{&targetSight};
    const CpuTimer judging;
    const PoseEvidence evidence = gatherEvidence(
        {.targets = targets, .scan = sourceSight, .pose = found.pose, .converged = found.converged()}, scale,
        {});
    const PoseVerdict verdict = judgePose(evidence, task.resolution);
    const auto evidenceMs = judging.elapsedMs();
    SweepsJson json{{"points", {task.target.size(), task.source.size()}},
                    {"spacing", scale.spacing},
                    {"start", toJson(task.start)},
                    {"pose", toJson(found.pose)},
                    {"end", describe(found.end)},
                    {"converged", found.converged()},
                    {"iterations", found.iterations},
                    {"weak", found.geometry.weak},
                    {"verdict", describe(verdict.word)},
                    {"reason", int(verdict.reason)},
                    {"weak_directions", evidence.weak.size()},
                    {"evidence", evidenceMs}};
    if (task.truth)
        json["truth"] = toJson(*task.truth);
    json["ms"] = times.toJson();
    fmt::print("{}\n", json.dump());
    return 0;
}

} // namespace scanloupe::bench
