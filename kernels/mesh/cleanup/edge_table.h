#pragma once
// Declares a table of a mesh's edges, grouped by their ends.
#include "kernels/mesh/cleanup/edge_buckets.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Directed edges grouped by their two ends, independent of the direction.
class EdgeTable {
public:
    /// @throws Cancelled
    EdgeTable(const TriangleMesh& mesh, const std::stop_token& stop);

    /// All edges between two vertices.
    struct Pair {
        std::uint32_t low = 0, high = 0;
        std::uint64_t upwards = 0, downwards = 0; ///< directed edges from low to high, and back
        /// Number of directed edges that belong to more than one triangle.
        std::uint64_t branching() const { return std::uint64_t(upwards > 1) + std::uint64_t(downwards > 1); }
    };
    /// Calls `visit(Pair)` for each pair of vertices whose lower end lies in [begin, end), ascending.
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
    EdgeBuckets m_edges; // the higher end << 1 | 1 for a downward edge
};

} // namespace scanloupe
