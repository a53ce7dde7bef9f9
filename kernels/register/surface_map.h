#pragma once
// Declares SurfaceMap: a sparse grid of cubic cells that contain planar patches of surface, to which scans
// are registered. Cells are found by hashing, as in the voxel maps of VGICP (Koide et al., "Voxelized GICP
// for fast and accurate 3D point cloud registration", 2021) and iVox (Bai et al., "Faster-LIO", 2022).
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"
#include "kernels/register/point_shapes.h"
#include "kernels/register/surface_patch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// Patches of scans that were added one after another, each with its pose. A cell keeps up to six patches,
/// one for each axis and sign that is the largest component of a normal, so that the ground and a wall in one
/// cell stay apart. The lowest corner of cell (i, j, k) is at origin + (i, j, k) * edge.
class SurfaceMap {
public:
    /// Makes an empty map. @throws KernelError for an edge that is not positive
    explicit SurfaceMap(const SurfaceLevel& level);

    /// Adds surface points, moved by T_map_scan, in their order. Points without a normal are ignored.
    /// @param origin origin of the points, in the scan's frame @param pose T_map_scan
    /// @throws KernelError when out of memory, or if the points extend more than 2^20 cells from the map's
    /// origin
    void add(const PointShapes& shapes, Vec3d origin, const RigidTransform& pose);

    /// Removes the cells whose centres are farther than `radius` from `place`, both in metres, in the frame
    /// of the poses. The other cells keep their patches, in their order.
    void keepNear(Vec3d place, double radius);

    double edge() const { return m_level.edge; }
    bool isOriented() const { return m_level.isOriented; }
    Vec3d origin() const { return m_origin; }
    /// Returns all patches, in the order in which their first points were added.
    std::span<const SurfacePatch> patches() const { return m_patches; }
    std::uint32_t patchCount() const { return static_cast<std::uint32_t>(m_patches.size()); }
    /// Returns the first patch of a cell, or kNoPatch; SurfacePatch::next leads to the other patches of the
    /// cell.
    std::uint32_t firstIn(Vec3i cell) const { return view().firstIn(cell); }
    SurfaceMapView view() const {
        return {m_patches.data(), m_slots.data(), m_slots.size(), m_level.edge, m_level.isOriented};
    }
    std::uint64_t bytes() const;

private:
    SurfaceSlot& slotOf(std::uint64_t key);
    void growSlots();
    std::uint32_t patchOf(SurfaceSlot& slot, std::uint32_t direction);

    SurfaceLevel m_level;
    Vec3d m_origin;
    std::vector<SurfacePatch> m_patches;
    std::vector<SurfaceSums> m_sums;  ///< sums of the patches in m_patches
    std::vector<SurfaceSlot> m_slots; ///< hash table with open addressing; the number of slots is a power of
                                      ///< two
    std::size_t m_cells = 0;
};

/// Returns how to place a scan in a map. Sets `mapOrigin` if the map has no patches yet.
/// @param origin origin of the scan's points, in its frame @param pose T_map_scan
/// @throws KernelError for numbers that are not finite
SurfacePlacing placeSurfaces(Vec3d origin, const RigidTransform& pose, const SurfaceLevel& level,
                             bool hasPatches, Vec3d& mapOrigin);
/// Reports points beyond a map's range of cells. @throws KernelError
[[noreturn]] void throwSurfacesBeyond(double edge);
/// Returns the levels of a pyramid, from kThinLevel on; at most kMaxSurfaceLevels. @throws KernelError for an
/// edge that is not positive
std::vector<SurfaceLevel> surfaceLevels(double edge, double coarsest, bool isOriented);

/// Surfaces at several resolutions. The coarse levels find a pose from a distant start, and points on a
/// single plane refine it, see kThinLevel.
class SurfacePyramid {
public:
    /// Makes an empty pyramid. @param edge edge of the finest cells, metres @param coarsest approximate edge
    /// of the coarsest cells; each level has about three times the edge of the previous one
    /// @throws as SurfaceMap
    SurfacePyramid(double edge, double coarsest, bool isOriented);
    /// Adds a scan. @param origin origin of its points, in the scan's frame @param pose T_map_scan
    /// @throws as SurfaceMap::add
    void add(const PointShapes& shapes, Vec3d origin, const RigidTransform& pose);
    /// Same as SurfaceMap::keepNear, for every level.
    void keepNear(Vec3d place, double radius);

    std::span<const SurfaceMap> levels() const { return m_levels; }
    std::uint64_t bytes() const;

private:
    std::vector<SurfaceMap> m_levels;
};

} // namespace scanloupe
