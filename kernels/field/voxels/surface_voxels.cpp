// Maps voxels to the nodes of fields, and converts per-brick words into lists of voxels.
#include "kernels/core/parallel.h"
#include "kernels/field/voxels/voxel_change_words.h"

#include <bit>
#include <utility>
#include <vector>

namespace scanloupe {

VoxelLattice VoxelLattice::ofScan(const ScalarField& field, const GridShape& shape, float level) {
    const bool hasCorners = field.kind == FieldKind::signedDistance;
    return {shape, hasCorners, hasCorners ? 0 : 1, level, field.insideBelow, false};
}

VoxelLattice VoxelLattice::ofVolume(const ScalarField& field, Vec3i dims, float level) {
    const LatticeShape& lattice = field.lattice;
    const GridShape shape{lattice.origin - lattice.spacing * 0.5f, lattice.spacing, dims};
    return {shape, false, 0, level, field.insideBelow, true};
}

namespace {

/// A run of adjacent bricks along x, given by their indices in the list of bricks.
struct BrickLine {
    std::size_t begin, end;
    Vec3i first; ///< coordinates of the first brick
};

/// Collects the voxels of one layer of bricks, row by row across the bricks of each line.
class LayerChange {
public:
    LayerChange(const SurfaceVoxelSource& source, const ChangeWords& words)
        : m_source(source), m_words(words) {}

    VoxelChange run(std::span<const BrickLine> lines) {
        for (int z = 0; z < kBrickEdge; ++z)
            for (const BrickLine& line : lines) {
                m_changed.clear(); // skip unchanged bricks, which are the majority
                for (std::size_t i = line.begin; i < line.end; ++i)
                    if (wordOf(m_words.added, i, z) != 0 || wordOf(m_words.removed, i, z) != 0)
                        m_changed.push_back(i);
                for (int y = 0; y < kBrickEdge && !m_changed.empty(); ++y)
                    for (const std::size_t i : m_changed)
                        addRow(i, y, z);
            }
        return std::move(m_change);
    }

private:
    static std::uint64_t wordOf(std::span<const std::uint64_t> words, std::size_t brick, int z) {
        return words.empty() ? 0 : words[brick * kBrickEdge + std::size_t(z)];
    }
    void addRow(std::size_t i, int y, int z) {
        const auto row = [&](std::span<const std::uint64_t> words) {
            return std::uint32_t(wordOf(words, i, z) >> (kBrickEdge * y) & 0xff);
        };
        std::uint32_t added = row(m_words.added), removed = row(m_words.removed);
        if ((added | removed) == 0)
            return;
        const VoxelLattice& lattice = m_source.lattice;
        const Vec3i first = brickOf(m_source.bricks[i], m_source.field.brickDims) * kBrickEdge +
                            Vec3i{0, y, z} - Vec3i{lattice.shift, lattice.shift, lattice.shift};
        const std::uint32_t there = row(m_words.there);
        const std::size_t rowIndex = (i * kBrickEdge + std::size_t(z)) * kBrickEdge + std::size_t(y);
        const std::uint32_t begin = m_words.rowBegins.empty() ? 0 : m_words.rowBegins[rowIndex];
        const auto indexOf = [&](int x) {
            return begin + std::uint32_t(std::popcount(there & ((1u << x) - 1)));
        };
        for (; added != 0; added &= added - 1) {
            const int x = std::countr_zero(added);
            m_change.added.push_back(lattice.shape.key(first + Vec3i{x, 0, 0}));
            m_change.addedAt.push_back(indexOf(x));
        }
        for (; removed != 0; removed &= removed - 1)
            m_change.removed.push_back(indexOf(std::countr_zero(removed)));
    }

    const SurfaceVoxelSource& m_source;
    const ChangeWords& m_words;
    VoxelChange m_change;
    std::vector<std::size_t> m_changed; ///< changed bricks of a line
};

} // namespace

VoxelChange voxelChangeOf(const SurfaceVoxelSource& source, const ChangeWords& words,
                          const std::stop_token& stop) {
    // bricks are sorted by z, y, x, so voxels are collected in ascending order across the bricks of a layer
    std::vector<BrickLine> lines;
    std::vector<std::size_t> layers; // index in `lines` where each layer begins
    for (std::size_t i = 0; i < source.bricks.size(); ++i) {
        const Vec3i brick = brickOf(source.bricks[i], source.field.brickDims);
        if (lines.empty() || lines.back().first.z != brick.z)
            layers.push_back(lines.size());
        if (lines.empty() || lines.back().first.z != brick.z || lines.back().first.y != brick.y)
            lines.push_back({i, i, brick});
        lines.back().end = i + 1;
    }
    layers.push_back(lines.size());
    std::vector<VoxelChange> parts(layers.size() - 1);
    parallelFor(parts.size(), 1, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t layer = begin; layer < end; ++layer)
            parts[layer] =
                LayerChange(source, words)
                    .run(std::span(lines).subspan(layers[layer], layers[layer + 1] - layers[layer]));
    });
    VoxelChange change;
    for (const VoxelChange& part : parts) {
        change.added.insert(change.added.end(), part.added.begin(), part.added.end());
        change.addedAt.insert(change.addedAt.end(), part.addedAt.begin(), part.addedAt.end());
        change.removed.insert(change.removed.end(), part.removed.begin(), part.removed.end());
    }
    return change;
}

} // namespace scanloupe
