// Finds changed voxels of a surface on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/field/voxels/surface_voxels_element.h"
#include "kernels/field/voxels/voxel_change_words.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kSurfaceVoxelsGrain = 64; // number of bricks per chunk

/// The nodes of a field as bits, for the examined bricks.
class FieldNodes {
public:
    FieldNodes(const ScalarField& field, const VoxelLattice& lattice, std::span<const std::uint64_t> bricks,
               const std::stop_token& stop)
        : m_field(field), m_around(findNeighbours(bricks, field.brickKeys.span(), field.brickDims, stop)) {
        const std::size_t words = std::max<std::size_t>(field.brickCount(), 1) * kBrickEdge;
        m_known = Buffer<std::uint64_t>::host(words);
        m_inside = Buffer<std::uint64_t>::host(words);
        std::ranges::fill(m_known.span().first(kBrickEdge), std::uint64_t{0});
        std::ranges::fill(m_inside.span().first(kBrickEdge), std::uint64_t{0});
        std::vector<std::uint8_t> isSeen(field.brickCount());
        for (const std::uint32_t brick : m_around.span())
            if (brick != kNoBrick)
                isSeen[brick] = 1;
        parallelFor(field.brickCount(), kSurfaceVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b)
                if (isSeen[b])
                    for (std::size_t z = 0; z < kBrickEdge; ++z)
                        setWord(lattice, b * kBrickEdge + z);
        });
    }
    VoxelSlice voxels(const VoxelLattice& lattice, std::size_t brick, Vec3i first, int z) const {
        const bool isEmpty = m_field.brickCount() == 0;
        const std::uint64_t* cells = isEmpty ? m_known.data() : m_field.cellMask.data();
        return voxelSlice(lattice, {m_known.data(), m_inside.data(), cells}, &m_around[brick * kNeighbours],
                          first, z);
    }

private:
    void setWord(const VoxelLattice& lattice, std::size_t word) {
        const float* values = &m_field.values[word * 64];
        std::uint64_t known = 0, inside = 0;
        for (int i = 0; i < 64; ++i) {
            known |= std::uint64_t{values[i] == values[i]} << i;
            inside |= std::uint64_t{isInsideValue(lattice, values[i])} << i;
        }
        m_known[word] = known;
        m_inside[word] = inside;
    }
    const ScalarField& m_field;
    Buffer<std::uint32_t> m_around; ///< [bricks, 27] neighbours
    Buffer<std::uint64_t> m_known, m_inside;
};

} // namespace

VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const std::stop_token& stop) {
    const std::size_t count = source.bricks.size();
    const VoxelLattice& lattice = source.lattice;
    const FieldNodes now(source.field, lattice, source.bricks, stop);
    std::optional<FieldNodes> base;
    if (source.base)
        base.emplace(*source.base, lattice, source.bricks, stop);
    const auto words = [&] { return Buffer<std::uint64_t>::host(count * kBrickEdge); };
    auto added = words(), removed = words(), there = words();
    auto rowBegins = Buffer<std::uint32_t>::host(count * kBrickEdge * kBrickEdge);
    const auto listed = [&](const Buffer<std::uint64_t>& keys, Vec3i first, int z, auto&& row) {
        return listedVoxels(lattice, keys.data(), std::uint32_t(keys.size()), first, z, row);
    };
    parallelFor(count, kSurfaceVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const Vec3i first = brickOf(source.bricks[b], source.field.brickDims) * kBrickEdge;
            for (int z = 0; z < kBrickEdge; ++z) {
                const std::size_t word = b * kBrickEdge + std::size_t(z);
                const VoxelSlice voxels = now.voxels(lattice, b, first, z);
                std::uint64_t wanted = voxels.surface;
                if (base) {
                    const std::uint64_t points = listed(*source.points, first, z, [](int, std::uint32_t) {});
                    wanted = wantedVoxels(voxels, base->voxels(lattice, b, first, z), points);
                }
                wanted &= voxelsInGrid(lattice, first, z);
                there[word] = listed(source.there, first, z, [&](int y, std::uint32_t at) {
                    rowBegins[word * kBrickEdge + std::size_t(y)] = at;
                });
                added[word] = wanted & ~there[word];
                removed[word] = there[word] & ~wanted;
            }
        }
    });
    if (source.there.empty()) // no current voxels, so there are no rows
        return voxelChangeOf(source, {added.span(), {}, {}, {}}, stop);
    return voxelChangeOf(source, {added.span(), removed.span(), there.span(), rowBegins.span()}, stop);
}

} // namespace scanloupe::cpu
