// Builds the edge table of a mesh on all cores.
#include "kernels/mesh/cleanup/edge_table.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <atomic>

namespace scanloupe {

namespace {
constexpr std::size_t kGrain = std::size_t{1} << 15; // triangles

/// Calls `visit(from, to)` for the edges of triangles [begin, end); a triangle that repeats a vertex has
/// fewer.
template <class Visit>
void edgesOf(std::span<const std::uint32_t> indices, std::size_t begin, std::size_t end, Visit&& visit) {
    for (std::size_t t = begin; t < end; ++t) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t from = indices[3 * t + i], to = indices[3 * t + (i + 1) % 3];
            if (from != to)
                visit(from, to);
        }
    }
}
} // namespace

EdgeTable::EdgeTable(const TriangleMesh& mesh, const std::stop_token& stop) : m_ends(mesh.vertexCount(), 0) {
    const auto indices = mesh.indices.span();
    const auto forEachEdge = [&](auto&& visit) {
        parallelFor(mesh.triangleCount(), kGrain, stop,
                    [&](std::size_t begin, std::size_t end) { edgesOf(indices, begin, end, visit); });
    };
    // threads append in any order; sorting each vertex's few edges makes the result deterministic
    const auto next = [this](std::uint32_t low) {
        return std::atomic_ref(m_ends[low]).fetch_add(1, std::memory_order_relaxed);
    };
    forEachEdge([&](std::uint32_t from, std::uint32_t to) { next(std::min(from, to)); });
    m_edges.resize(exclusiveScan(std::span<std::uint64_t>(m_ends)));
    forEachEdge([&](std::uint32_t from, std::uint32_t to) {
        m_edges[next(std::min(from, to))] = std::uint64_t{std::max(from, to)} << 1 | (from > to);
    });
}

std::span<std::uint64_t> EdgeTable::sorted(std::size_t low) {
    const std::size_t begin = low == 0 ? 0 : m_ends[low - 1];
    const std::span<std::uint64_t> mine(m_edges.data() + begin, m_ends[low] - begin);
    if (mine.size() > 24) {
        std::sort(mine.begin(), mine.end());
    } else { // most have six
        for (std::size_t i = 1; i < mine.size(); ++i) {
            const std::uint64_t edge = mine[i];
            std::size_t place = i;
            for (; place > 0 && mine[place - 1] > edge; --place)
                mine[place] = mine[place - 1];
            mine[place] = edge;
        }
    }
    return mine;
}

} // namespace scanloupe
