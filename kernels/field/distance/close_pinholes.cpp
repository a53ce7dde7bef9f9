// Closes pinholes in the surface of the signed distance on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/field/distance/distance_bits.h"
#include "kernels/field/distance/distance_cells.h"

#include <algorithm>

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kGrain = 256; // bricks

/// Which nodes have a value, and which of these are inside.
struct NodeBits {
    Buffer<std::uint64_t> known, inside; // [B, 8]
};
NodeBits nodeBits(const ScalarField& field, const std::stop_token& stop) {
    const std::size_t words = field.brickCount() * kBrickEdge;
    NodeBits result{Buffer<std::uint64_t>::host(words), Buffer<std::uint64_t>::host(words)};
    parallelFor(words, kGrain * kBrickEdge, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t word = begin; word < end; ++word) {
            const float* values = &field.values[word * 64];
            std::uint64_t known = 0, inside = 0;
            for (int i = 0; i < 64; ++i) {
                known |= std::uint64_t{values[i] == values[i]} << i;
                inside |= std::uint64_t{values[i] < 0} << i;
            }
            result.known[word] = known;
            result.inside[word] = inside;
        }
    });
    return result;
}
} // namespace

void closePinholes(ScalarField& field, const Buffer<std::uint64_t>& occupied,
                   std::span<const std::uint32_t> around, const std::stop_token& stop) {
    const NodeBits nodes = nodeBits(field, stop);
    // starts with all candidates, then removes those whose surface would end, until nothing changes
    auto cells = Buffer<std::uint64_t>::host(field.cellMask.size());
    auto kept = Buffer<std::uint64_t>::host(field.cellMask.size());
    const auto forSlices = [&](auto&& body) {
        return parallelReduce(
            field.brickCount(), kGrain, stop, false,
            [&](std::size_t begin, std::size_t end) {
                bool changed = false;
                for (std::size_t b = begin; b < end; ++b)
                    for (int z = 0; z < kBrickEdge; ++z)
                        changed |=
                            body(&around[b * kNeighbours], z, b * kBrickEdge + static_cast<std::size_t>(z));
                return changed;
            },
            [](bool a, bool b) { return a || b; });
    };
    const auto endsOf = [&](const std::uint32_t* mine, int z) {
        return surfaceEnds(crossedFaces(nodes.inside, mine, z), cellsBeside(cells, mine, z));
    };
    bool changed = forSlices([&](const std::uint32_t* mine, int z, std::size_t word) {
        const std::uint64_t known =
            all(nodesOfCells(nodes.known, mine, z)) & all(nodesOfCells(nodes.known, mine, z + 1));
        cells[word] = field.cellMask[word] | known;
        return known != 0;
    });
    while (changed) {
        changed = forSlices([&](const std::uint32_t* mine, int z, std::size_t word) {
            kept[word] = cells[word];
            const std::uint64_t added = cells[word] & ~field.cellMask[word];
            if (added == 0)
                return false;
            const SurfaceEnds ends = endsOf(mine, z);
            kept[word] = field.cellMask[word] | (added & ends.crossed & ~ends.open);
            return kept[word] != cells[word];
        });
        std::swap(cells, kept);
    }
    // one pass only: repeated passes would remove a bridge of such cells between two rings of a lidar, cell
    // by cell from its ends
    forSlices([&](const std::uint32_t* mine, int z, std::size_t word) {
        const std::uint64_t empty = cells[word] & ~occupied[word];
        kept[word] = empty == 0 ? cells[word] : cells[word] & ~(empty & endsOf(mine, z).open);
        return false;
    });
    std::swap(cells, kept);
    field.cellMask = std::move(cells);
}

} // namespace scanloupe::cpu
