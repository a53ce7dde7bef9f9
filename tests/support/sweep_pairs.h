#pragma once
// Pairs of sweeps of spinning lidars with their true poses: places that determine a pose, and places that
// mislead an alignment.
#include "engine/align/pose_verdict.h"
#include "kernels/synth/lidar_sweep.h"
#include "kernels/synth/solid_scene.h"

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace scanloupe::test {

enum class SweepScene : std::uint8_t {
    street,
    cluttered,     ///< a corridor with cupboards
    room,          ///< a room with furniture
    world,         ///< a street, campus, room or hall of BoxWorld
    corridor,      ///< an endless, bare corridor
    racks,         ///< an endless hall with racks that look alike every 4 m
    symmetricRoom, ///< a room that looks alike after half a turn: empty, or with two equal cupboards
    field,         ///< open, flat ground with few objects: some pairs determine a pose, others do not
};
inline constexpr SweepScene kUniqueScenes[] = {SweepScene::street, SweepScene::cluttered, SweepScene::room,
                                               SweepScene::world};
inline constexpr SweepScene kAmbiguousScenes[] = {SweepScene::corridor, SweepScene::racks,
                                                  SweepScene::symmetricRoom};
inline constexpr SweepScene kOpenScenes[] = {SweepScene::field};
const char* nameOf(SweepScene scene);

struct SweepPair {
    SweepScene scene = SweepScene::street;
    std::uint32_t seed = 0;
    RigidTransform first;              ///< T_scene_target
    RigidTransform truth;              ///< T_target_source
    double resolution = 2;             ///< automatic resolution of an alignment, metres
    std::vector<Vec3f> target, source; ///< [N, 3] metres, in the frames of their sensors

    /// The truth after a motion of the source in the scene's frame.
    RigidTransform moved(const RigidTransform& motion) const {
        return first.inverse() * motion * first * truth;
    }
};

/// A place, a sensor (16 to 128 rings, 5 to 30 mm noise), and two positions of it; the seed determines all.
SweepPair makeSweepPair(SweepScene scene, std::uint32_t seed);

/// Surfaces and sights of a pair, to judge poses of it.
class SweepJudge {
public:
    explicit SweepJudge(const SweepPair& pair);
    /// Judges poses between scans of two places. @param target, source the pairs whose target and source are
    /// used
    SweepJudge(const SweepPair& target, const SweepPair& source);

    struct Judged {
        PoseEvidence evidence;
        PoseVerdict verdict;
    };
    Judged judge(const RigidTransform& pose) const;
    /// The pose to which the surfaces move `start`: the result of an alignment.
    RigidTransform settled(const RigidTransform& start) const;
    /// The result of GICP, as in an alignment; none if it did not converge.
    std::optional<RigidTransform> registered(const RigidTransform& start) const;

private:
    double m_resolution;
    SurfaceScale m_scale;
    PointShapes m_targetShapes, m_sourceShapes;
    ScanSight m_target, m_source;
};

} // namespace scanloupe::test
