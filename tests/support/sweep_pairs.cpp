// Lays out the places of the pairs, chooses sensors and positions, and judges poses.
#include "tests/support/sweep_pairs.h"

#include "kernels/register/registration.h"
#include "tests/support/box_world.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe::test {

namespace {

constexpr double kClearance = 0.35; // free space around a sensor, metres
constexpr double kCoarsestEdge = 2; // maximum edge of cells, metres, as in ScanAligner

double between(double low, double high, std::mt19937& random) {
    return std::uniform_real_distribution<double>(low, high)(random);
}

synth::SolidScene makeSymmetricRoom(std::mt19937& random) {
    const double x = between(2.5, 6, random), y = between(2.2, 5, random), height = between(2.4, 3.2, random);
    synth::SolidScene scene;
    scene.planes = {{2, 0, 1, 0.4},  {2, height, -1, 0.8}, {0, -x, 1, 0.6},
                    {0, x, -1, 0.6}, {1, -y, 1, 0.6},      {1, y, -1, 0.6}};
    if (random() % 2 == 0)
        return scene;
    const Vec3d half{between(0.3, 0.6, random), between(0.2, 0.4, random), between(0.5, 1, random)};
    const double along = between(-0.6, 0.6, random) * x;
    for (const double side : {-1.0, 1.0})
        scene.boxes.push_back({{side * along, side * (y - half.y), half.z}, half, 1, 0, 0.5});
    return scene;
}

/// The possible positions of a sensor, and the range of its motion.
struct Stand {
    double height = 1.2, side = 0.15; ///< above the ground, and to each side of the way, metres
    double from = 0.3;                ///< metres to each side along the way
    double step = 1, heading = 0;     ///< metres, radians
    bool isOutdoors = false;
};

synth::SolidScene makeScene(SweepScene scene, std::uint32_t seed, Stand& stand, std::mt19937& random) {
    using synth::Place;
    const auto outdoors = [&] {
        stand.height = 1.8;
        stand.side = 0.5;
        stand.isOutdoors = true;
    };
    switch (scene) {
    case SweepScene::street:
        outdoors();
        stand.from = 4;
        stand.step = between(0.3, 4, random);
        return makePlace(Place::street, seed);
    case SweepScene::cluttered:
        stand.from = 4;
        stand.step = between(0.2, 2, random);
        return makePlace(Place::cluttered, seed);
    case SweepScene::room:
        stand.step = between(0.1, 0.6, random);
        stand.heading = between(-3.1, 3.1, random);
        return makePlace(Place::room, seed);
    case SweepScene::world: {
        constexpr std::array kinds{WorldKind::street, WorldKind::campus, WorldKind::room, WorldKind::hall};
        const WorldKind kind = kinds[random() % kinds.size()];
        const BoxWorld world(kind, seed);
        if (kind == WorldKind::street || kind == WorldKind::campus)
            outdoors();
        stand.step = world.length() * (random() % 2 == 0 ? 0.1 : 0.4);
        return world.solids();
    }
    case SweepScene::corridor:
        stand.step = between(0, 4, random);
        return makePlace(Place::corridor, seed);
    case SweepScene::racks:
        stand.step = between(0, 6, random);
        return makePlace(Place::racks, seed);
    case SweepScene::symmetricRoom:
        stand.step = between(0.1, 0.8, random);
        stand.heading = between(-3.1, 3.1, random);
        return makeSymmetricRoom(random);
    case SweepScene::field:
        outdoors();
        stand.from = 4;
        stand.step = between(0.3, 4, random);
        return makePlace(Place::field, seed);
    }
    return {};
}

/// The approximate edge of the cells that ScanAligner chooses.
double resolutionFor(const std::vector<Vec3f>& points) {
    Vec3d extent;
    std::vector<float> values;
    for (int axis = 0; axis < 3; ++axis) {
        values.clear();
        for (const Vec3f& p : points)
            values.push_back(p[axis]);
        std::ranges::sort(values);
        extent[axis] = double(values[values.size() * 99 / 100] - values[values.size() / 100]);
    }
    const double edge = norm(extent) / 12;
    return edge >= 2 ? 2 : edge >= 1 ? 1 : edge >= 0.5 ? 0.5 : 0.2;
}

/// A pose with some free space around it.
RigidTransform standAt(double along, const Stand& stand, const synth::SolidScene& scene,
                       std::mt19937& random) {
    RigidTransform pose;
    for (int i = 0; i < 50; ++i) {
        const double x = along * std::cos(stand.heading) + (i > 0 ? between(-0.1, 0.1, random) * i : 0);
        pose = fromRollPitchYaw(
            {between(-0.02, 0.02, random), between(-0.02, 0.02, random), between(-3.1, 3.1, random)},
            {x, along * std::sin(stand.heading) + between(-stand.side, stand.side, random),
             stand.height + between(-0.05, 0.05, random)});
        if (distance(scene.view(), pose.translation) > kClearance)
            break;
    }
    return pose;
}

} // namespace

const char* nameOf(SweepScene scene) {
    constexpr std::array names{"street", "cluttered corridor", "room", "world", "corridor",
                               "racks",  "symmetric room",     "field"};
    return names[std::size_t(scene)];
}

SweepPair makeSweepPair(SweepScene kind, std::uint32_t seed) {
    std::mt19937 random(seed * 101 + unsigned(kind));
    Stand stand;
    const synth::SolidScene scene = makeScene(kind, seed, stand, random);
    synth::LidarSweep sweep;
    sweep.lidar = synth::kLidarModels[random() % synth::kLidarModels.size()];
    sweep.lidar.columns = 900;
    if (kind == SweepScene::corridor)
        sweep.lidar.blocks[0] = {-25, 50.0 / 31, 32}, sweep.lidar.blocks[1] = {};
    else if (!stand.isOutdoors) // rings that reach floor and ceiling
        sweep.lidar.blocks[0] = {1.3 * sweep.lidar.blocks[0].lowest, 1.3 * sweep.lidar.blocks[0].step,
                                 sweep.lidar.blocks[0].rings};
    sweep.rangeNoise = float(kind == SweepScene::corridor ? 0.01 : between(0.005, 0.03, random));
    sweep.seed = seed;
    const double from = between(-stand.from, stand.from, random);
    SweepPair pair;
    pair.scene = kind;
    pair.seed = seed;
    pair.first = standAt(from, stand, scene, random);
    const RigidTransform second =
        standAt(from + stand.step * (random() % 2 == 0 ? 1 : -1), stand, scene, random);
    pair.truth = pair.first.inverse() * second;
    const auto points = [&](const RigidTransform& pose, std::uint64_t frame) {
        sweep.pose = pose;
        sweep.frame = frame;
        std::vector<Vec3f> places;
        for (const synth::ScanPoint& p : generateSweep(sweep, scene, {}))
            places.push_back(p.position);
        return places;
    };
    pair.target = points(pair.first, 0);
    pair.source = points(second, 1);
    pair.resolution = resolutionFor(pair.target);
    return pair;
}

SweepJudge::SweepJudge(const SweepPair& pair) : SweepJudge(pair, pair) {}

SweepJudge::SweepJudge(const SweepPair& target, const SweepPair& source) : m_resolution(target.resolution) {
    m_target = firstSightOf(target.target, {}, {}, m_scale, m_targetShapes, {});
    m_sourceShapes = cpu::findPointShapes(source.source, shapeParamsOf(m_scale, {}), {});
    m_source = sightOf(source.source, m_sourceShapes, {}, {}, m_scale, {});
}

SweepJudge::Judged SweepJudge::judge(const RigidTransform& pose) const {
    const std::array targets{&m_target};
    Judged judged;
    judged.evidence =
        gatherEvidence({.targets = targets, .scan = m_source, .pose = pose, .converged = true}, m_scale, {});
    judged.verdict = judgePose(judged.evidence, m_resolution);
    return judged;
}

RigidTransform SweepJudge::settled(const RigidTransform& start) const {
    SurfaceIndex target(m_scale, true), own(m_scale, true);
    target.add(m_target.surfels, {}, {});
    target.build();
    own.add(m_source.surfels, {}, {});
    own.build();
    const SurfaceComparison comparison(target, m_target.depth, {},
                                       {m_source.surfels, {}, &own, &m_source.depth});
    return comparison.settled(start, 30, 1000, 0, {}).value_or(start);
}

std::optional<RigidTransform> SweepJudge::registered(const RigidTransform& start) const {
    SurfacePyramid target(m_scale.spacing, kCoarsestEdge, true), source(m_scale.spacing, kCoarsestEdge, true);
    target.add(m_targetShapes, {}, {});
    source.add(m_sourceShapes, {}, {});
    const RegistrationResult found = cpu::registerSurfaces(target, source, start, {}, {});
    return found.converged() ? std::optional(found.pose) : std::nullopt;
}

} // namespace scanloupe::test
