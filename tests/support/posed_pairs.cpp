// Builds the pairs and their start poses, and aligns them.
#include "tests/support/posed_pairs.h"

#include "engine/io/common/read_options.h"

#include "engine/cloud/point_cloud.h"
#include "engine/compute/backend.h"
#include "engine/io/scan_reader.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/io/trajectory.h"
#include "tests/support/box_world.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace scanloupe::test {

namespace fs = std::filesystem;

namespace {

constexpr double kDegree = std::numbers::pi / 180;

double between(double low, double high, std::mt19937& random) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

CloudPtr cloudOf(std::span<const Vec3f> points) {
    return std::make_shared<const PointCloud>(FloatPositions{hostCopy(points)}, std::vector<Attribute>{},
                                              std::stop_token{});
}

RigidTransform randomPose(double reach, std::mt19937& random) {
    return fromRollPitchYaw(
        {between(-0.02, 0.02, random), between(-0.02, 0.02, random), between(-3.1, 3.1, random)},
        {between(-reach, reach, random), between(-reach, reach, random), between(-0.1, 0.1, random)});
}

/// Half of a scan's points, with other noise, without those in a sector, moved by T.
CloudPtr partOf(const PointCloud& cloud, int parity, double sector, double noise, const RigidTransform& move,
                std::mt19937& random) {
    std::normal_distribution<double> gaussian(0, noise);
    const double from = between(-3.1, 3.1, random);
    std::vector<Vec3f> points;
    std::bernoulli_distribution coin(0.5);
    std::mt19937 halves(17); // the same for both parts
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        const Vec3d p = cloud.position(i);
        const bool mine = coin(halves) == (parity == 1);
        double angle = std::atan2(p.y, p.x) - from;
        angle -= 2 * std::numbers::pi * std::floor(angle / (2 * std::numbers::pi));
        if (!mine || !isFinite(p) || angle < sector)
            continue;
        const Vec3d shaken = p + Vec3d{gaussian(random), gaussian(random), gaussian(random)};
        points.push_back(move(shaken).as<float>());
    }
    return cloudOf(points);
}

CloudPtr withSensor(const CloudPtr& cloud, Vec3d sensor) {
    std::vector<Vec3f> points;
    for (std::size_t i = 0; i < cloud->size(); ++i)
        points.push_back(cloud->position(i).as<float>());
    auto copy = std::make_shared<PointCloud>(FloatPositions{hostCopy(std::span<const Vec3f>(points))},
                                             std::vector<Attribute>{}, std::stop_token{});
    copy->sensor = SensorPose{sensor, {}};
    return copy;
}

} // namespace

std::vector<ScanPair> generatedPairs(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<ScanPair> pairs;
    for (const WorldKind kind : kWorldKinds) {
        const BoxWorld world(kind, seed);
        const double noise = between(0.005, 0.03, random);
        const int rings = random() % 2 ? 32 : 64, columns = rings == 32 ? 720 : 512;
        const double first = between(-0.5, 0.5, random) * world.length();
        const RigidTransform a = world.sensorPose(first, random);
        const CloudPtr target = cloudOf(world.scan(a, rings, columns, noise, random));
        for (const double share : {0.1, 0.45}) {
            const double step = world.length() * share * (first > 0 ? -1 : 1);
            const RigidTransform b = world.sensorPose(first + step, random);
            pairs.push_back({nameOf(kind), fmt::format("{} {}", nameOf(kind), seed), target,
                             cloudOf(world.scan(b, rings, columns, noise, random)), a.inverse() * b});
        }
    }
    for (const auto scene : {synth::Scene::street, synth::Scene::room}) {
        synth::ScanParams params;
        params.scene = scene;
        params.seed = seed;
        params.rangeNoise = float(between(0.005, 0.03, random));
        const SyntheticDrive drive(params, 100, random() % 2 ? 16384 : 49152);
        const std::uint64_t first = random() % 60, step = 1 + random() % 30;
        const char* name = scene == synth::Scene::street ? "drive" : "tour";
        pairs.push_back({name, fmt::format("{} {}", name, seed),
                         std::make_shared<const PointCloud>(drive.cloud(first, false, {})),
                         std::make_shared<const PointCloud>(drive.cloud(first + step, false, {})),
                         drive.pose(first).inverse() * drive.pose(first + step)});
    }
    return pairs;
}

std::vector<ScanPair> realPairs(const fs::path& folder, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<ScanPair> pairs;
    const auto read = [&](const char* name) -> CloudPtr {
        return fs::exists(folder / name) ? readScan(folder / name, {}, {}) : nullptr;
    };
    const auto addTwo = [&](const char* group, const char* first, const char* second,
                            const RigidTransform& truth) {
        if (const CloudPtr a = read(first), b = read(second); a && b) {
            pairs.push_back({group, first, a, b, truth});
            pairs.push_back({group, second, b, a, truth.inverse()});
        }
    };
    addTwo("hdl-32", "ndt/251370668.pcd", "ndt/251371071.pcd",
           fromRollPitchYaw({0.0041, -0.0012, -0.0115},
                            {0.4873, 0.1138, -0.0192})); // a pose between the two references
    addTwo(
        "living room", "ndt/room_scan1.pcd", "ndt/room_scan2.pcd", // PCL 1.13's ICP after its NDT
        {{{0.757097, -0.653101, 0.0162154}, {0.652933, 0.757271, 0.014824}, {-0.021961, -0.000636, 0.999759}},
         {1.97772, 0.0608436, 0.024656}});
    struct Single {
        const char *group, *file;
    };
    for (const Single& single : {Single{"kitti", "sweeps/kitti_training_000000.bin"},
                                 {"kitti 00", "sweeps/gtsam_kitti00_000000_xyz.bin"},
                                 {"nuscenes", "sweeps/nuscenes_n015_1532402927647951.pcd.bin"},
                                 {"kitti raw", "sweeps/voxelize_cuda_0000000000.bin"},
                                 {"hdl-32", "ndt/251370668.pcd"},
                                 {"living room", "ndt/room_scan1.pcd"}}) {
        const CloudPtr whole = read(single.file);
        if (!whole)
            continue;
        const RigidTransform move = randomPose(3, random);
        const double sector = between(0.3, 2, random);
        const CloudPtr a = partOf(*whole, 0, sector, 0.01, {}, random);
        const CloudPtr b = partOf(*whole, 1, sector, 0.01, move, random);
        pairs.push_back({single.group, single.file, a, withSensor(b, move.translation), move.inverse()});
    }
    return pairs;
}

std::vector<ScanPair> mismatchedPairs(const std::vector<ScanPair>& pairs, std::size_t count,
                                      std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<ScanPair> mismatched;
    while (mismatched.size() < count) {
        const ScanPair &a = pairs[random() % pairs.size()], &b = pairs[random() % pairs.size()];
        if (a.scene != b.scene && !(a.group == b.group && (a.group == "drive" || a.group == "tour" ||
                                                           a.group == "hdl-32" || a.group == "living room")))
            mismatched.push_back({a.group, a.scene + " / " + b.scene, a.target, b.source, {}, false});
    }
    return mismatched;
}

std::vector<PairTrial> trialsOf(const ScanPair& pair, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<PairTrial> trials;
    const auto off = [&](double metres, double degrees) { // a random error of at least half of these limits
        const double angle = between(-3.14, 3.14, random), far = metres * between(0.5, 1, random);
        const double yaw = kDegree * degrees * between(0.5, 1, random) * (random() % 2 ? 1 : -1);
        RigidTransform start = pair.truth * fromRollPitchYaw({0, 0, yaw}, {});
        start.translation += Vec3d{far * std::cos(angle), far * std::sin(angle), 0};
        return start;
    };
    if (!pair.matched) {
        trials.push_back({"other scene", randomPose(2, random)});
        if (random() % 3 == 0)
            trials.push_back({"other scene, search", randomPose(2, random), 3});
        return trials;
    }
    for (int i = 0; i < 3; ++i)
        trials.push_back({"near", off(0.5, 4)});
    trials.push_back({"near", off(0.15, 1)});
    for (int i = 0; i < 2; ++i)
        trials.push_back({"off", off(2, 15)});
    trials.push_back({"far", off(7, 30)});
    trials.push_back({"turned 90", off(0.5, 0) * fromRollPitchYaw({0, 0, kDegree * 90}, {})});
    trials.push_back({"turned 180", off(0.5, 0) * fromRollPitchYaw({0, 0, kDegree * 180}, {})});
    trials.push_back({"few steps", off(1, 5), 0, 3 + int(random() % 3)});
    trials.push_back({"search", off(1, 180), 2});
    return trials;
}

JudgedPair judge(const ScanPair& pair, const PairTrial& trial, Backend backend) {
    AlignParams params;
    params.to = AlignTo::first;
    params.searchRadius = trial.searchRadius;
    params.ndt.maxIterations = trial.maxIterations;
    ScanAligner aligner(params, backend);
    JudgedPair judged;
    judged.target = aligner.add(*pair.target, std::nullopt, {});
    judged.alignment = aligner.add(*pair.source, trial.start, {});
    judged.resolution = *aligner.params().resolution;
    judged.metres = 1e3;
    judged.degrees = 180;
    if (pair.matched && judged.alignment.hasPose) {
        const Vec3d sensor = pair.source->sensor ? pair.source->sensor->position : Vec3d{};
        const RigidTransform& pose = judged.alignment.pose;
        judged.metres = norm(pose(sensor) - pair.truth(sensor));
        judged.degrees = rotationAngle(pose.inverse() * pair.truth) / kDegree;
    }
    judged.right = judged.metres < std::min(0.1, judged.resolution / 10) && judged.degrees < 1;
    return judged;
}

} // namespace scanloupe::test
