#pragma once
// Declares the surface of a scan as surfels: points whose neighbours determine a plane, with its normal.
// Their evidence about a pose does not depend on the positions of a sensor's rings.
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
    Vec3f place;  ///< metres
    Vec3f normal; ///< unit vector, towards the sensor where that is known
};

/// Lengths that surfaces are compared by, metres.
struct SurfaceScale {
    double spacing = 0.25;  ///< approximate distance between surfels
    double reach = 0.5;     ///< distance within which surfels are compared
    double tolerance = 0.1; ///< offset along the normal up to which two surfels agree
    int neighbours = 16;    ///< PointShapeParams::neighbours

    /// Fine enough for what stands at the median range of the points from the sensor, both relative to the
    /// same origin: a corridor is long, and what holds a pose in it is small.
    static SurfaceScale of(std::span<const Vec3f> points, Vec3d sensor);
    /// Raises the tolerance above the noise of a scan's planes.
    void allowNoise(const PointShapes& shapes);
};

/// Keeps the points that lie on a plane, evenly chosen where there are more than some thousand. Points whose
/// neighbourhood is a line, as along a ring, an edge, a corner or foliage are left out.
std::vector<Surfel> surfelsOf(const PointShapes& shapes, const SurfaceScale& scale);

/// A surfel, and the one of the other side that it is compared with.
struct SurfaceMatch {
    enum class State : std::uint8_t {
        apart,   ///< there is none within reach
        crossed, ///< those within reach have other normals
        differs, ///< the normals agree, and the surfaces lie apart
        agrees,  ///< the surfaces coincide
    };
    State state = State::apart;
    Vec3d place, normal; ///< position of the first surfel; normal of the second one's plane
    double offset = 0;   ///< signed distance of `place` from the second one's plane, along the normal, metres

    bool isParallel() const { return state >= State::differs; }
    bool agrees() const { return state == State::agrees; }
};

/// Surfels of scans by the cubes that they lie in, to find those near a place.
class SurfaceIndex {
public:
    SurfaceIndex(const SurfaceScale& scale, bool isOriented) : m_scale(scale), m_isOriented(isOriented) {}
    /// @param surfels are moved by `pose`; places are relative to `origin` there
    void add(std::span<const Surfel> surfels, Vec3d origin, const RigidTransform& pose);
    /// Sorts the surfels; call it once, before find().
    void build();

    const SurfaceScale& scale() const { return m_scale; }
    std::span<const Surfel> surfels() const { return m_surfels; } ///< relative to base(), as sorted
    Vec3d base() const { return m_base; }
    /// The nearest surfel with the same normal within reach, else whether there is any.
    /// @param place relative to base()
    SurfaceMatch find(Vec3d place, Vec3d normal) const;

private:
    struct Slot {
        std::uint64_t key;
        std::uint32_t begin, end;
    };
    static constexpr std::uint32_t kAtOnce = 16; ///< surfels whose distances are computed together
    const Slot* slotOf(std::uint64_t key) const;
    /// Squared distances of a place to kAtOnce surfels.
    std::array<float, kAtOnce> squaresFrom(Vec3f place, std::uint32_t begin) const;

    SurfaceScale m_scale;
    bool m_isOriented;
    Vec3d m_base;
    std::vector<Surfel> m_surfels;
    std::array<std::vector<float>, 3> m_places; ///< coordinates of m_surfels by axis, padded by kAtOnce
    std::vector<Slot> m_slots; ///< hash table with open addressing; the number of slots is a power of two
};

} // namespace scanloupe
