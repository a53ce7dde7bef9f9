// Finds the bricks of a field that are unchanged since an earlier field, given a list of changed bricks.
#include "kernels/mesh/extract/surface_memory.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_neighbours.h"

#include <algorithm>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kSurfaceMemoryGrain = 4096; // number of bricks per chunk
// minimum ratio of bricks to changed bricks; with more changes, reuse is not worthwhile
constexpr std::size_t kFew = 4;

} // namespace

std::uint64_t SurfaceTrace::bytes() const {
    return keys.bytes() + masks.inside.bytes() + masks.known.bytes() + masks.active.bytes() +
           masks.edges.bytes() + masks.vertices.bytes() + masks.triangles.bytes() + vertex.bytes() +
           triangle.bytes();
}

SurfaceMemory::SurfaceMemory(const PreviousSurface* earlier, const ScalarField& field,
                             const Buffer<std::uint32_t>& around, const std::stop_token& stop)
    : m_earlier(earlier && earlier->changed.size() <= field.brickCount() / kFew ? earlier : nullptr) {
    if (!m_earlier)
        return;
    const std::size_t bricks = field.brickCount();
    m_before = matchedBricks(field.brickKeys.span(), m_earlier->trace.keys.span());
    m_state.assign(bricks, sameAround);
    for (const std::uint64_t key : m_earlier->changed)
        forBricksAround(key, field.brickDims, field.brickKeys.span(),
                        [&](std::size_t b) { m_state[b] = std::min<std::uint8_t>(m_state[b], sameValues); });
    for (std::size_t b = 0; b < bricks; ++b)
        if (m_before[b] == kNoBrick || std::ranges::binary_search(m_earlier->changed, field.brickKeys[b]))
            m_state[b] = changed;
    std::vector<std::uint8_t> states(bricks);
    parallelFor(bricks, kSurfaceMemoryGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            bool isWhole = m_state[b] == sameAround;
            for (int side = 1; side < 8 && isWhole; ++side) {
                const std::uint32_t above =
                    around[b * kNeighbours + std::size_t(neighbourSlot(side & 1, side >> 1 & 1, side >> 2))];
                isWhole = above == kNoBrick || m_state[above] == sameAround;
            }
            states[b] = isWhole ? std::uint8_t(sameTriangles) : m_state[b];
        }
    });
    m_state = std::move(states);
}

} // namespace scanloupe::cpu
