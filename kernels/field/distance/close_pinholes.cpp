// Closes pinholes in the surface of a signed distance on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/field/distance/distance_bits.h"
#include "kernels/field/distance/distance_cells.h"

#include <algorithm>

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kClosePinholesGrain = 256; // number of bricks per chunk

} // namespace

void closePinholes(ScalarField& field, const Buffer<std::uint64_t>& occupied, const NodeBits& nodes,
                   std::span<const std::uint32_t> around, const std::stop_token& stop) {
    // start with all candidate cells, then repeatedly remove those where the surface would end, until nothing
    // changes
    auto cells = Buffer<std::uint64_t>::host(field.cellMask.size());
    auto kept = Buffer<std::uint64_t>::host(field.cellMask.size());
    std::vector<std::uint8_t> isOpen(field.brickCount()); // true if the brick has candidates, or has lost
                                                          // some in the last pass
    const auto forBricks = [&](auto&& body) {
        return parallelReduce(
            field.brickCount(), kClosePinholesGrain, stop, false,
            [&](std::size_t begin, std::size_t end) {
                bool changed = false;
                for (std::size_t b = begin; b < end; ++b)
                    changed |= body(&around[b * kNeighbours], b);
                return changed;
            },
            [](bool a, bool b) { return a || b; });
    };
    const auto endsOf = [&](const std::uint32_t* mine, int z) {
        return surfaceEnds(crossedFaces(nodes.inside, mine, z), faceNeighbours(cells, mine, z));
    };
    bool changed = forBricks([&](const std::uint32_t* mine, std::size_t b) {
        std::uint64_t below = all(nodesOfCells(nodes.known, mine, 0));
        for (int z = 0; z < kBrickEdge; ++z) {
            const std::size_t word = b * kBrickEdge + static_cast<std::size_t>(z);
            const std::uint64_t above = all(nodesOfCells(nodes.known, mine, z + 1)), known = below & above;
            below = above;
            cells[word] = kept[word] = field.cellMask[word] | known;
            isOpen[b] |= (known & ~field.cellMask[word]) != 0;
        }
        return isOpen[b] != 0;
    });
    while (changed) {
        changed = forBricks([&](const std::uint32_t* mine, std::size_t b) {
            if (!isOpen[b])
                return false;
            bool loses = false, hasCandidates = false;
            for (int z = 0; z < kBrickEdge; ++z) {
                const std::size_t word = b * kBrickEdge + static_cast<std::size_t>(z);
                kept[word] = cells[word];
                const std::uint64_t added = cells[word] & ~field.cellMask[word];
                if (added == 0)
                    continue;
                const SurfaceEnds ends = endsOf(mine, z);
                kept[word] = field.cellMask[word] | (added & ends.crossed & ~ends.open);
                loses |= kept[word] != cells[word];
                hasCandidates |= kept[word] != field.cellMask[word];
            }
            isOpen[b] = loses || hasCandidates;
            return loses;
        });
        std::swap(cells, kept);
    }
    // one pass only: repeated passes would remove a bridge of such cells between two lidar rings, cell by
    // cell from its ends
    forBricks([&](const std::uint32_t* mine, std::size_t b) {
        for (int z = 0; z < kBrickEdge; ++z) {
            const std::size_t word = b * kBrickEdge + static_cast<std::size_t>(z);
            const std::uint64_t empty = cells[word] & ~occupied[word];
            kept[word] = empty == 0 ? cells[word] : cells[word] & ~(empty & endsOf(mine, z).open);
        }
        return false;
    });
    std::swap(cells, kept);
    field.cellMask = std::move(cells);
}

} // namespace scanloupe::cpu
