#pragma once
// Decides which voxels of a brick's slice are surface voxels, 64 at a time, for both backends.
#include "kernels/core/lower_bound.h"
#include "kernels/field/core/brick_slices.h"
#include "kernels/field/voxels/surface_voxels.h"

namespace scanloupe {

/// Bits of a field's nodes and cells: nodes with a value, nodes inside, and ScalarField::cellMask. [B, 8]
/// each, at least one brick.
struct NodeWords {
    const std::uint64_t *known, *inside, *cells;
};

HD inline bool isInsideValue(const VoxelLattice& lattice, float value) {
    return lattice.insideBelow ? value < lattice.level : value > lattice.level;
}

/// The voxels of slice z of the brick at the centre of `around`.
struct VoxelSlice {
    std::uint64_t solid = 0;   ///< voxels inside, or with a corner that is inside
    std::uint64_t surface = 0; ///< voxels that contain surface
};

/// Returns the voxels of a slice that are in the grid.
HD inline std::uint64_t voxelsInGrid(const VoxelLattice& lattice, Vec3i firstNode, int z) {
    const Vec3i shift{lattice.shift, lattice.shift, lattice.shift}, first = firstNode - shift;
    std::uint64_t inGrid = bits::before(lattice.shape.dims - first, z);
    if (first.z + z < 0)
        return 0;
    if (first.x < 0)
        inGrid &= ~bits::columns(0, -first.x);
    if (first.y < 0)
        inGrid &= ~bits::rows(0, -first.y);
    return inGrid;
}

HD inline VoxelSlice voxelSlice(const VoxelLattice& lattice, const NodeWords& nodes,
                                const std::uint32_t* around, Vec3i firstNode, int z) {
    VoxelSlice voxels;
    if (lattice.hasCorners) {
        const CornerBits low = nodesOfCells(nodes.inside, around, z);
        const CornerBits high = nodesOfCells(nodes.inside, around, z + 1);
        voxels.solid = any(low) | any(high);
        const std::uint64_t known =
            all(nodesOfCells(nodes.known, around, z)) & all(nodesOfCells(nodes.known, around, z + 1));
        voxels.surface = voxels.solid & ~(all(low) & all(high)) & known & slice(nodes.cells, around, 0, 0, z);
        return voxels;
    }
    const std::uint64_t here = slice(nodes.inside, around, 0, 0, z);
    const auto insideBeyond = [&](Vec3i step, std::uint64_t inside) {
        return lattice.isOpen ? inside | ~voxelsInGrid(lattice, firstNode + step, z) : inside;
    };
    const std::uint64_t beside =
        insideBeyond({-1, 0, 0}, bits::fromBelowX(here, slice(nodes.inside, around, -1, 0, z))) &
        insideBeyond({1, 0, 0}, bits::fromAboveX(here, slice(nodes.inside, around, 1, 0, z))) &
        insideBeyond({0, -1, 0}, bits::fromBelowY(here, slice(nodes.inside, around, 0, -1, z))) &
        insideBeyond({0, 1, 0}, bits::fromAboveY(here, slice(nodes.inside, around, 0, 1, z))) &
        insideBeyond({0, 0, -1}, slice(nodes.inside, around, 0, 0, z - 1)) &
        insideBeyond({0, 0, 1}, slice(nodes.inside, around, 0, 0, z + 1));
    voxels.solid = here;
    voxels.surface = here & ~beside;
    return voxels;
}

/// Returns which voxels of a slice are in an ascending list of keys. Also computes, for each row of eight
/// voxels, the index in the list where it begins.
template <class Row>
HD std::uint64_t listedVoxels(const VoxelLattice& lattice, const std::uint64_t* keys, std::uint32_t count,
                              Vec3i firstNode, int z, Row&& row) {
    const Vec3i dims = lattice.shape.dims,
                first = firstNode - Vec3i{lattice.shift, lattice.shift, lattice.shift};
    std::uint64_t listed = 0;
    const int layer = first.z + z;
    if (count == 0 || layer < 0 || layer >= dims.z)
        return 0;
    const int from = first.x < 0 ? 0 : first.x,
              end = dims.x - first.x < kBrickEdge ? dims.x : first.x + kBrickEdge;
    for (int y = 0; y < kBrickEdge; ++y) {
        const int line = first.y + y;
        if (line < 0 || line >= dims.y || from >= end)
            continue;
        const std::uint64_t begin = lattice.shape.key({from, line, layer});
        std::uint32_t at = lowerBound(keys, count, begin);
        row(y, at);
        for (; at < count && keys[at] < begin + static_cast<std::uint64_t>(end - from); ++at)
            listed |= std::uint64_t{1}
                      << (static_cast<int>(keys[at] - begin) + from - first.x + kBrickEdge * y);
    }
    return listed;
}

/// Returns the voxels of a slice that should exist. @param points the voxels that contain points
HD inline std::uint64_t wantedVoxels(const VoxelSlice& now, const VoxelSlice& before, std::uint64_t points) {
    return (points & ~(before.solid & ~now.solid)) | (~points & now.surface & ~before.surface);
}

} // namespace scanloupe
