// Lays voxels into fields, and turns the words of bricks into lists of voxels.
#include "kernels/field/voxels/voxel_change_words.h"

#include <bit>

namespace scanloupe {

VoxelLattice VoxelLattice::ofScan(const ScalarField& field, const GridShape& shape, float level) {
    const bool hasCorners = field.kind == FieldKind::signedDistance;
    return {shape, hasCorners, hasCorners ? 0 : 1, level, field.insideBelow};
}

VoxelLattice VoxelLattice::ofVolume(const ScalarField& field, Vec3i dims, float level) {
    const LatticeShape& lattice = field.lattice;
    return {
        {lattice.origin - lattice.spacing * 0.5f, lattice.spacing, dims}, false, 0, level, field.insideBelow};
}

VoxelChange voxelChangeOf(const SurfaceVoxelSource& source, const ChangeWords& words) {
    VoxelChange change;
    const VoxelLattice& lattice = source.lattice;
    const std::span<const std::uint64_t> bricks = source.bricks;
    const Vec3i dims = source.field.brickDims, shift{lattice.shift, lattice.shift, lattice.shift};
    const auto brickAt = [&](std::size_t i) { return brickOf(bricks[i], dims); };
    const auto addRow = [&](std::size_t i, int y, int z) {
        const std::size_t word = i * kBrickEdge + std::size_t(z);
        const auto row = [&](std::span<const std::uint64_t> of) {
            return std::uint32_t(of[word] >> (kBrickEdge * y) & 0xff);
        };
        std::uint32_t added = row(words.added), removed = words.removed.empty() ? 0 : row(words.removed);
        if ((added | removed) == 0)
            return;
        const Vec3i first = brickAt(i) * kBrickEdge + Vec3i{0, y, z} - shift;
        const std::uint32_t there = words.there.empty() ? 0 : row(words.there);
        const std::uint32_t begin =
            words.rowBegins.empty() ? 0 : words.rowBegins[word * kBrickEdge + std::size_t(y)];
        const auto indexOf = [&](int x) {
            return begin + std::uint32_t(std::popcount(there & ((1u << x) - 1)));
        };
        for (; added != 0; added &= added - 1) {
            const int x = std::countr_zero(added);
            change.added.push_back(lattice.shape.key(first + Vec3i{x, 0, 0}));
            change.addedAt.push_back(indexOf(x));
        }
        for (; removed != 0; removed &= removed - 1)
            change.removed.push_back(indexOf(std::countr_zero(removed)));
    };
    // bricks ascend by z, y, x; so do voxels, row by row across the bricks beside each other
    for (std::size_t layer = 0, layerEnd = 0; layer < bricks.size(); layer = layerEnd) {
        while (layerEnd < bricks.size() && brickAt(layerEnd).z == brickAt(layer).z)
            ++layerEnd;
        for (int z = 0; z < kBrickEdge; ++z)
            for (std::size_t line = layer, lineEnd = layer; line < layerEnd; line = lineEnd) {
                while (lineEnd < layerEnd && brickAt(lineEnd).y == brickAt(line).y)
                    ++lineEnd;
                for (int y = 0; y < kBrickEdge; ++y)
                    for (std::size_t i = line; i < lineEnd; ++i)
                        addRow(i, y, z);
            }
    }
    return change;
}

} // namespace scanloupe
