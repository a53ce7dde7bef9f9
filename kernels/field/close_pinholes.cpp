#include "kernels/core/parallel.h"
#include "kernels/field/brick_slices.h"
#include "kernels/field/distance_cells.h"

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

/// Cells of one slice in which each face that the surface crosses has a cell of `beside` behind it.
std::uint64_t enclosed(const CornerBits& lower, const CornerBits& upper,
                       const std::array<std::uint64_t, 6>& beside) {
    const auto crossed = [](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
        return (a | b | c | d) & ~(a & b & c & d);
    };
    const std::array<std::uint64_t, 6> faces = {
        crossed(lower[0], lower[2], upper[0], upper[2]), crossed(lower[1], lower[3], upper[1], upper[3]),
        crossed(lower[0], lower[1], upper[0], upper[1]), crossed(lower[2], lower[3], upper[2], upper[3]),
        crossed(lower[0], lower[1], lower[2], lower[3]), crossed(upper[0], upper[1], upper[2], upper[3])};
    std::uint64_t anyCrossed = 0, open = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        anyCrossed |= faces[i];
        open |= faces[i] & ~beside[i];
    }
    return anyCrossed & ~open;
}
} // namespace

void closePinholes(ScalarField& field, const std::stop_token& stop) {
    const auto keys = field.brickKeys.span();
    const auto around = findNeighbours(keys, keys, field.brickDims, stop);
    const NodeBits nodes = nodeBits(field, stop);
    auto closed = Buffer<std::uint64_t>::host(field.cellMask.size());
    parallelFor(field.brickCount(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const std::uint32_t* mine = &around[b * kNeighbours];
            for (int z = 0; z < kBrickEdge; ++z) {
                const std::uint64_t known =
                    all(nodesOfCells(nodes.known, mine, z)) & all(nodesOfCells(nodes.known, mine, z + 1));
                const std::uint64_t holes =
                    enclosed(nodesOfCells(nodes.inside, mine, z), nodesOfCells(nodes.inside, mine, z + 1),
                             cellsBeside(field.cellMask, mine, z));
                const std::size_t word = b * kBrickEdge + static_cast<std::size_t>(z);
                closed[word] = field.cellMask[word] | (known & holes);
            }
        }
    });
    field.cellMask = std::move(closed);
}

} // namespace scanloupe::cpu
