#pragma once
// Declares a table of a mesh's edges, grouped by their two vertices.
#include "kernels/mesh/cleanup/edge_buckets.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Directed edges grouped by their two vertices, regardless of direction.
class EdgeTable {
public:
    /// Builds the table. @throws Cancelled
    EdgeTable(const TriangleMesh& mesh, const std::stop_token& stop);

    /// The edges between two vertices.
    struct Pair {
        std::uint32_t low = 0, high = 0;
        std::uint64_t upwards = 0, downwards = 0; ///< number of directed edges from `low` to `high`, and from
                                                  ///< `high` to `low`
        /// Returns the number of directions in which more than one triangle uses the edge.
        std::uint64_t branching() const { return std::uint64_t(upwards > 1) + std::uint64_t(downwards > 1); }
    };
    /// Calls `visit(Pair)` for each pair of vertices whose lower vertex is in [begin, end), in ascending
    /// order.
    template <class Visit>
    void forEach(std::size_t begin, std::size_t end, Visit&& visit) {
        for (std::size_t low = begin; low < end; ++low) {
            const std::span<std::uint64_t> mine = m_edges.sorted(low);
            for (std::size_t i = 0; i < mine.size();) {
                Pair pair{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(mine[i] >> 1), 0, 0};
                for (; i < mine.size() && mine[i] >> 1 == pair.high; ++i)
                    ++(mine[i] & 1 ? pair.downwards : pair.upwards);
                visit(pair);
            }
        }
    }
    std::size_t vertexCount() const { return m_edges.vertexCount(); }
    static std::uint64_t bytesFor(std::uint64_t vertices, std::uint64_t triangles) {
        return (vertices + 3 * triangles) * sizeof(std::uint64_t);
    }

private:
    EdgeBuckets m_edges; // edge numbers: higher vertex << 1 | (1 if the edge starts at the higher vertex)
};

} // namespace scanloupe
