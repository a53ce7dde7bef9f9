#pragma once
// Declares the surface of a scan as surfels: points with a normal whose neighbours form a plane. The evidence
// from surfels does not depend on the positions of a sensor's rings.
#include "engine/align/depth_view.h"
#include "kernels/register/point_shapes.h"

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A small planar piece of a surface.
struct Surfel {
    Vec3f place;  ///< position, metres
    Vec3f normal; ///< unit vector; points towards the sensor if its position is known
};

/// Length scales for comparing surfaces, metres.
struct SurfaceScale {
    double spacing = 0.25;  ///< approximate distance between surfels
    double reach = 0.5;     ///< maximum distance between surfels that are compared
    double tolerance = 0.1; ///< maximum offset along the normal between surfels that agree
    int neighbours = 16;    ///< see PointShapeParams::neighbours

    /// Chooses lengths that are fine enough for objects at the median range. In a long corridor, for example,
    /// the structures that constrain a pose are small. @param points [N, 3] metres @param sensor position
    /// relative to the same origin, metres
    static SurfaceScale of(std::span<const Vec3f> points, Vec3d sensor);
    /// Raises the tolerance above the noise of a scan's planes.
    void allowNoise(const PointShapes& shapes);
};

/// Returns the points that are on a plane; an evenly spaced selection if there are more than some thousands.
/// Points whose neighbourhood is not planar are left out, as along a ring, at edges and corners, and in
/// foliage.
std::vector<Surfel> surfelsOf(const PointShapes& shapes, const SurfaceScale& scale);

/// A surfel, and the surfel of the other scan that it is compared with.
struct SurfaceMatch {
    enum class State : std::uint8_t {
        apart,   ///< no surfel of the other scan is within reach
        crossed, ///< surfels within reach have other normals
        differs, ///< the normals agree, but the offset exceeds the tolerance
        agrees,  ///< the surfaces coincide
    };
    State state = State::apart;
    Vec3d place, normal; ///< position of the first surfel; normal of the second surfel
    double offset = 0;   ///< signed distance of `place` from the plane of the second surfel, along the
                         ///< normal, metres

    bool isParallel() const { return state >= State::differs; }
    bool agrees() const { return state == State::agrees; }
};

/// Surfels of several scans, stored by cubes for finding those near a position.
class SurfaceIndex {
public:
    SurfaceIndex(const SurfaceScale& scale, bool isOriented) : m_scale(scale), m_isOriented(isOriented) {}
    /// Adds surfels, transformed by `pose`. @param surfels positions relative to `origin`, in the frame
    /// before `pose`
    void add(std::span<const Surfel> surfels, Vec3d origin, const RigidTransform& pose);
    /// Sorts the surfels into cubes. Must be called once, after all add() and before find().
    void build();

    const SurfaceScale& scale() const { return m_scale; }
    std::span<const Surfel> surfels() const {
        return m_surfels;
    } ///< sorted by cube; positions relative to
      ///< base()
    Vec3d base() const { return m_base; }
    /// Returns the nearest surfel within reach that has the same normal, or whether there are only surfels
    /// with other normals.
    /// @param place relative to base()
    SurfaceMatch find(Vec3d place, Vec3d normal) const;

private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t begin, end;
    };
    static constexpr std::uint32_t kAtOnce = 16; ///< number of surfels whose distances are computed together
    const Slot* slotOf(std::uint64_t key) const;
    /// Squared distances of a position to kAtOnce surfels.
    std::array<float, kAtOnce> squaresFrom(Vec3f place, std::uint32_t begin) const;

    SurfaceScale m_scale;
    bool m_isOriented;
    Vec3d m_base;
    std::vector<Surfel> m_surfels;
    std::array<std::vector<float>, 3> m_places; ///< coordinates of m_surfels per axis, padded by kAtOnce
    std::vector<Slot> m_slots; ///< hash table with open addressing; the number of slots is a power of two
};

} // namespace scanloupe
