#pragma once
// Declares the voxels that contain the surface of a field, and how they change when brushes change the field.
#include "kernels/field/core/scalar_field.h"
#include "kernels/voxelize/splice/splice_voxels.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The positions of voxels in a field. If nodes are corners of voxels, as of a signed distance, a voxel is a
/// cell and has surface if marching cubes finds some in it. If nodes are centres of voxels, those have
/// surface that are inside and share a face with one that is not.
struct VoxelLattice {
    GridShape shape;
    bool hasCorners = false; ///< nodes are corners of voxels
    int shift = 0;           ///< nodes before that of the first voxel, along each axis
    float level = 0;         ///< iso-value
    bool insideBelow = false;
    /// Voxels outside the grid count as inside, since marching cubes makes no surface at its faces.
    bool isOpen = false;

    /// The lattice of a scan's voxels.
    static VoxelLattice ofScan(const ScalarField& field, const GridShape& shape, float level);
    /// The lattice of a volume of `dims` samples, each at the centre of a voxel.
    static VoxelLattice ofVolume(const ScalarField& field, Vec3i dims, float level);
};

/// The voxels of the surface (wanted) and the current ones (there). All keys ascend, and lie where it is
/// computed.
struct SurfaceVoxelSource {
    VoxelLattice lattice;
    const ScalarField& field;
    /// The field before any brush; null: voxels are those of the surface. Otherwise the voxels with points,
    /// without those that no longer lie inside or at the surface, and with those of new surface.
    const ScalarField* base = nullptr;
    const Buffer<std::uint64_t>* points = nullptr; ///< voxels with points; null with `base`
    const Buffer<std::uint64_t>& there;
    std::span<const std::uint64_t> bricks; ///< bricks in which voxels may change; on the host
};

namespace cpu {
/// The change from the current voxels to those of the surface. @throws KernelError when memory is short;
/// Cancelled
VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::surfaceVoxels, with the same result. @note Synchronizes with `stream`.
VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
