#pragma once
// Declares the voxels that the surface of a field lies in, and how they change when brushes change the field.
#include "kernels/field/core/scalar_field.h"
#include "kernels/voxelize/splice/splice_voxels.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// How voxels lie in a field. Where nodes are corners of voxels, as of a signed distance, a voxel is a cell
/// and has surface if marching cubes finds some in it. Where they are middles of voxels, those have surface
/// that are inside and share a face with one that is not.
struct VoxelLattice {
    GridShape shape;
    bool hasCorners = false; ///< nodes are corners of voxels
    int shift = 0;           ///< nodes before that of the first voxel, along each axis
    float level = 0;         ///< iso-value
    bool insideBelow = false;
    /// What lies beyond the grid counts as inside: marching cubes makes no surface at its faces.
    bool isOpen = false;

    /// Of the voxels of a scan.
    static VoxelLattice ofScan(const ScalarField& field, const GridShape& shape, float level);
    /// Of a volume of `dims` samples: each is the middle of a voxel.
    static VoxelLattice ofVolume(const ScalarField& field, Vec3i dims, float level);
};

/// The voxels that are wanted, and those that are there. All keys ascend, and lie where it is computed.
struct SurfaceVoxelSource {
    VoxelLattice lattice;
    const ScalarField& field;
    /// The field before any brush; null: voxels are those of the surface. Else those with points, but for
    /// those that were inside or at the surface and are no more, and those of surface that was not there.
    const ScalarField* base = nullptr;
    const Buffer<std::uint64_t>* points = nullptr; ///< voxels with points; null with `base`
    const Buffer<std::uint64_t>& there;
    std::span<const std::uint64_t> bricks; ///< in which voxels may change; on the host
};

namespace cpu {
/// What has to change for the voxels that are there to be those that are wanted. @throws KernelError when
/// memory is short; Cancelled
VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::surfaceVoxels, with the same result. @note Synchronizes with `stream`.
VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
