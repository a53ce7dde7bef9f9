#pragma once
// Declares the voxels that contain a field's surface, and how they change when brushes edit the field.
#include "kernels/field/core/scalar_field.h"
#include "kernels/voxelize/splice/splice_voxels.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The positions of voxels in a field. If nodes are voxel corners, as for a signed distance, a voxel is a
/// cell of the field; it is a surface voxel if marching cubes finds surface in it. If nodes are voxel
/// centres, surface voxels are the voxels inside that share a face with a voxel outside.
struct VoxelLattice {
    GridShape shape;
    bool hasCorners = false; ///< true if nodes are voxel corners, false if they are voxel centres
    int shift = 0;           ///< number of nodes before the node of the first voxel, along each axis
    float level = 0;         ///< iso-value of the surface
    bool insideBelow = false;
    /// if true, positions outside the grid count as inside, since marching cubes creates no surface at the
    /// grid's faces
    bool isOpen = false;

    /// Returns the lattice for the voxels of a scan.
    static VoxelLattice ofScan(const ScalarField& field, const GridShape& shape, float level);
    /// Returns the lattice for a volume of `dims` samples, each at the centre of a voxel.
    static VoxelLattice ofVolume(const ScalarField& field, Vec3i dims, float level);
};

/// The surface whose voxels are wanted, and the current voxels (`there`). All keys are ascending and in the
/// memory of the backend.
struct SurfaceVoxelSource {
    VoxelLattice lattice;
    const ScalarField& field;
    /// The field before the first brush stroke, or null. Null: the wanted voxels are those of the surface.
    /// Otherwise: the voxels with points that are still inside or at the surface, and the voxels of new
    /// surface.
    const ScalarField* base = nullptr;
    const Buffer<std::uint64_t>* points = nullptr; ///< ascending keys of the voxels with points; null if
                                                   ///< `base` is null
    const Buffer<std::uint64_t>& there;
    std::span<const std::uint64_t> bricks; ///< keys of the bricks in which voxels may change; on the host
};

namespace cpu {
/// Returns the change from the current voxels to the wanted voxels. @throws KernelError when out of memory;
/// Cancelled
VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::surfaceVoxels, with the same result. @note Synchronizes with `stream`.
VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
