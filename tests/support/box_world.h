#pragma once
// Random worlds of boxes, ground and bushes, and scans of them by a spinning lidar: pairs of scans with known
// truth, in any number of scenes, by the seed.
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"
#include "kernels/synth/solid_scene.h"

#include <cstdint>
#include <random>
#include <vector>

namespace scanloupe::test {

enum class WorldKind : std::uint8_t { street, campus, room, corridor, hall };
inline constexpr WorldKind kWorldKinds[] = {WorldKind::street, WorldKind::campus, WorldKind::room,
                                            WorldKind::corridor, WorldKind::hall};
const char* nameOf(WorldKind kind);

class BoxWorld {
public:
    BoxWorld(WorldKind kind, std::uint32_t seed);

    /// A possible sensor pose: `along` metres from the centre of the world, slightly off its axis and tilted.
    RigidTransform sensorPose(double along, std::mt19937& random) const;
    /// The scan of a lidar of `rings` rings, in its own frame, with Gaussian noise along the rays, metres.
    std::vector<Vec3f> scan(const RigidTransform& pose, int rings, int columns, double noise,
                            std::mt19937& random) const;
    /// The world for synth::generateSweep, which supports real sensors, drop-outs and motion; its bushes
    /// become upright cylinders.
    synth::SolidScene solids() const;
    double length() const { return m_length; } ///< metres along which a sensor can be placed

private:
    struct Box {
        Vec3d middle, half;
        double cosine = 1, sine = 0; ///< rotation about z
    };
    struct Bush {
        Vec3d middle;
        double radius;
    };

    void add(Vec3d middle, Vec3d half, double yaw = 0);
    double range(Vec3d origin, Vec3d direction, std::mt19937& random) const;

    std::vector<Box> m_boxes;
    std::vector<Bush> m_bushes;
    Vec3d m_room; ///< half extents of the walls around it; 0: open air above a ground at z = 0
    double m_length = 20, m_height = 1.8, m_reach = 80;
    bool m_indoors = false;
};

} // namespace scanloupe::test
