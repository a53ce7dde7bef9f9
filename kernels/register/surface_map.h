#pragma once
// Declares SurfaceMap: a sparse grid of cubic cells with the planar patches of surface in them, which scans
// are registered to. Cells are found by hashing, as in the voxel maps of VGICP (Koide et al., "Voxelized GICP
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
/// cell stay apart. Cell (i, j, k) has its lowest corner at origin + (i, j, k) * edge.
class SurfaceMap {
public:
    /// @throws KernelError for an edge that isn't positive.
    explicit SurfaceMap(const SurfaceLevel& level);

    /// Adds surface points, moved by T_map_scan, in their order. Points without a normal are left out.
    /// @param origin of the points, in the scan's frame
    /// @throws KernelError when out of memory or the points reach further than 2^20 cells.
    void add(const PointShapes& shapes, Vec3d origin, const RigidTransform& pose);

    /// Drops the cells whose middles lie farther than `radius` from `place`, both in metres, in the frame of
    /// the poses. The others keep their patches, in their order.
    void keepNear(Vec3d place, double radius);

    double edge() const { return m_level.edge; }
    bool isOriented() const { return m_level.isOriented; }
    Vec3d origin() const { return m_origin; }
    /// Returns all patches, ordered by when their first point was added.
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
    std::vector<SurfaceSums> m_sums;  ///< of m_patches
    std::vector<SurfaceSlot> m_slots; ///< hash table with open addressing, of a power of two of slots
    std::size_t m_cells = 0;
};

/// How a scan lies in a map, whose origin is set if it has no patch yet.
/// @param origin of the scan's points, in its frame @param pose T_map_scan
/// @throws KernelError for numbers that aren't finite
SurfacePlacing placeSurfaces(Vec3d origin, const RigidTransform& pose, const SurfaceLevel& level,
                             bool hasPatches, Vec3d& mapOrigin);
/// @throws KernelError: points lie beyond a map's range of cells
[[noreturn]] void throwSurfacesBeyond(double edge);
/// The levels of a pyramid, kMaxSurfaceLevels at most, from kThinLevel on. @throws KernelError for an edge
/// that isn't positive
std::vector<SurfaceLevel> surfaceLevels(double edge, double coarsest, bool isOriented);

/// Surfaces at several resolutions: coarse ones find a pose from afar, and points on a single plane refine
/// it, see kThinLevel.
class SurfacePyramid {
public:
    /// @param edge of the finest cells, metres @param coarsest about the edge of the largest ones; each level
    /// has about three times the edge of the one before
    /// @throws as SurfaceMap.
    SurfacePyramid(double edge, double coarsest, bool isOriented);
    /// Adds a scan. @param origin of its points, in the scan's frame @param pose T_map_scan
    /// @throws as SurfaceMap::add
    void add(const PointShapes& shapes, Vec3d origin, const RigidTransform& pose);
    /// Same as SurfaceMap::keepNear, of every level.
    void keepNear(Vec3d place, double radius);

    std::span<const SurfaceMap> levels() const { return m_levels; }
    std::uint64_t bytes() const;

private:
    std::vector<SurfaceMap> m_levels;
};

} // namespace scanloupe
