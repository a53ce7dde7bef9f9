#pragma once
// Defines the patches of surface in the cells of a map, how points add to them, and how they are found, for
// both backends.
#include "kernels/register/ndt/ndt_cell.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace scanloupe {

inline constexpr int kMaxSurfaceLevels = 12; ///< maximum number of levels per pyramid
/// Levels of a pyramid, finest first: level 0 contains only points that are on a single plane, the others all
/// points. The reason: planes through parts of two objects, such as a car and the ground, move with the
/// sensor.
inline constexpr int kThinLevel = 0, kFinestLevel = 1;
/// Maximum standard deviation, along the normal, of the neighbours of a point on a single plane; in edges of
/// the finest cells.
inline constexpr double kThinPlane = 0.3;
inline constexpr std::uint32_t kNoPatch = std::numeric_limits<std::uint32_t>::max();

/// The mean of the points in a cell whose normals point in about the same direction.
struct SurfacePatch {
    Vec3d mean;                    ///< metres, relative to the map's origin
    Vec3f normal;                  ///< unit vector: mean of the normals of these points
    std::uint32_t next = kNoPatch; ///< index of another patch of the same cell; kNoPatch if there is none
};

/// The sums from which a patch is computed.
struct SurfaceSums {
    Vec3d points, normals; ///< sums of the points relative to the cell's centre, and of their normals
    std::uint32_t count = 0;
    std::uint32_t direction = 0; ///< axis and sign of the largest component of normals

    HD void add(Vec3d offset, Vec3d normal) {
        points += offset;
        normals += normal;
        ++count;
    }
    /// Computes mean and normal of the patch from the sums.
    HD void setPatch(Vec3d cellMiddle, SurfacePatch& patch) const {
        patch.mean = cellMiddle + points / double(count);
        patch.normal = normalized(normals).as<float>();
    }
};
inline constexpr std::uint32_t kPatchDirections = 6;

/// Slot of a hash table of cells with open addressing.
struct alignas(16) SurfaceSlot {
    std::uint64_t key = kNoNdtKey;  ///< key of the cell; kNoNdtKey marks an empty slot
    std::uint32_t patch = kNoPatch; ///< first patch of the cell
};

/// Returns whether the centre of a cell is within `radius` of a place, in metres relative to the map's
/// origin.
HD inline bool isCellNear(Vec3i cell, double edge, Vec3d place, double radius) {
    return norm((cell.as<double>() + Vec3d{0.5, 0.5, 0.5}) * edge - place) <= radius;
}

/// A point of a surface placed in a map.
struct PlacedSurface {
    Vec3d offset; ///< offset from the centre of the cell, metres
    Vec3d normal;
    Vec3i cell;
    std::uint32_t direction = 0; ///< see SurfaceSums
};
enum class SurfacePlace : std::uint8_t {
    none,   ///< the point has no normal, or is not on a single plane
    inside, ///< the point is within the range of cells
    beyond, ///< the point is outside the range of cells
};

/// Parameters of a map.
struct SurfaceLevel {
    double edge = 1;        ///< edge of a cell, metres
    bool isOriented = true; ///< True: normals point towards the sensor. False: only the axis of normals
                            ///< counts.
    /// Maximum thickness of the points that are added, see PointShapes::thickness; metres.
    double maxThickness = std::numeric_limits<double>::infinity();
};

/// How to place the points of a scan in a map.
struct SurfacePlacing {
    RigidTransform local; ///< transform from the scan, relative to its origin, to the map, relative to its
                          ///< origin
    SurfaceLevel level;

    HD Vec3d middleOf(Vec3i cell) const { return (cell.as<double>() + Vec3d{0.5, 0.5, 0.5}) * level.edge; }
    HD SurfacePlace place(Vec3f point, Vec3f normal, float thickness, PlacedSurface& placed) const {
        if (!(squaredNorm(normal) > 0) || double(thickness) > level.maxThickness)
            return SurfacePlace::none;
        const Vec3d x = local(point.as<double>());
        if (!ndtCellOf(1 / level.edge, x, placed.cell))
            return SurfacePlace::beyond;
        placed.offset = x - middleOf(placed.cell);
        placed.normal = local.rotate(normal.as<double>());
        placed.direction = directionOf(placed.normal);
        if (!level.isOriented && placed.direction >= 3) {
            placed.normal = -placed.normal;
            placed.direction -= 3;
        }
        return SurfacePlace::inside;
    }

private:
    /// Returns the axis of the largest component, 0 to 2, plus 3 if the component is negative.
    static HD std::uint32_t directionOf(Vec3d normal) {
        const double x = std::fabs(normal.x), y = std::fabs(normal.y), z = std::fabs(normal.z);
        const std::uint32_t axis = z > (y > x ? y : x) ? 2 : y > x ? 1 : 0;
        return normal[int(axis)] < 0 ? axis + 3 : axis;
    }
};

/// View of the patches of a map, in host or device memory.
struct SurfaceMapView {
    const SurfacePatch* patches = nullptr;
    const SurfaceSlot* table = nullptr; ///< hash table with open addressing
    std::uint64_t slotCount = 0;        ///< a power of two, or 0
    double edge = 1;
    bool isOriented = true;

    /// Of the angle between a patch and a surface with this normal.
    HD double cosine(const SurfacePatch& patch, Vec3d normal) const {
        const double along = dot(patch.normal.as<double>(), normal);
        return isOriented ? along : std::fabs(along);
    }
    /// The first patch of a cell, or kNoPatch; the others follow by SurfacePatch::next.
    HD std::uint32_t firstIn(Vec3i cell) const {
        const auto inRange = [](std::int32_t c) { return c >= -kNdtReach && c < kNdtReach; };
        if (slotCount == 0 || !inRange(cell.x) || !inRange(cell.y) || !inRange(cell.z))
            return kNoPatch;
        const std::uint64_t key = ndtKey(cell), mask = slotCount - 1;
        std::uint64_t slot = ndtHash(key) & mask;
        while (table[slot].key != key && table[slot].key != kNoNdtKey)
            slot = (slot + 1) & mask;
        return table[slot].patch;
    }
};

} // namespace scanloupe
