#pragma once
// Implements buckets of a mesh's directed edges, one bucket per lower vertex.
#include "kernels/core/parallel.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The directed edges of a mesh, grouped into one bucket per lower vertex. An edge is a number whose leading
/// bits are its higher vertex: after sorting a bucket, edges between the same two vertices are adjacent, so
/// no search is needed.
class EdgeBuckets {
public:
    /// @param encode function `std::uint64_t(triangle, from, to)` that returns the number of an edge; not
    /// called for an edge from a vertex to itself @throws Cancelled
    template <class Encode>
    EdgeBuckets(const TriangleMesh& mesh, const std::stop_token& stop, Encode&& encode)
        : m_ends(mesh.vertexCount(), 0) {
        constexpr std::size_t grain = std::size_t{1} << 15; // number of triangles per chunk
        const auto indices = mesh.indices.span();
        const auto forEachEdge = [&](auto&& visit) {
            parallelFor(mesh.triangleCount(), grain, stop, [&](std::size_t begin, std::size_t end) {
                for (std::size_t t = begin; t < end; ++t)
                    for (std::size_t i = 0; i < 3; ++i) {
                        const std::uint32_t from = indices[3 * t + i], to = indices[3 * t + (i + 1) % 3];
                        if (from != to)
                            visit(t, from, to);
                    }
            });
        };
        // threads append in arbitrary order; sorting the few edges of each vertex makes the result
        // deterministic
        const auto next = [this](std::uint32_t low) {
            return std::atomic_ref(m_ends[low]).fetch_add(1, std::memory_order_relaxed);
        };
        forEachEdge([&](std::size_t, std::uint32_t from, std::uint32_t to) { next(std::min(from, to)); });
        m_edges.resize(exclusiveScan(std::span<std::uint64_t>(m_ends)));
        forEachEdge([&](std::size_t t, std::uint32_t from, std::uint32_t to) {
            m_edges[next(std::min(from, to))] = encode(t, from, to);
        });
    }

    /// Sorts the edges of one lower vertex in place and returns them. Edges of different vertices may be
    /// sorted on different threads.
    std::span<std::uint64_t> sorted(std::size_t low) {
        const std::size_t begin = low == 0 ? 0 : m_ends[low - 1];
        const std::span<std::uint64_t> mine(m_edges.data() + begin, m_ends[low] - begin);
        if (mine.size() > 24) {
            std::sort(mine.begin(), mine.end());
        } else { // a typical vertex has six edges
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
    std::size_t vertexCount() const { return m_ends.size(); }

private:
    // [M] end of each vertex's edges, which is also the begin of the next vertex's edges
    std::vector<std::uint64_t> m_ends;
    std::vector<std::uint64_t> m_edges; // at most [3 T] edge numbers
};

} // namespace scanloupe
