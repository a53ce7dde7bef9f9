// Traces the boundary loops of a mesh and measures their lengths.
#include "kernels/mesh/cleanup/boundary_loops.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::uint32_t kOffPath = std::numeric_limits<std::uint32_t>::max();

/// Boundary edges grouped by their start vertex, and the state of the traces along these edges.
class LoopTracer {
public:
    LoopTracer(std::vector<BoundaryEdge> edges, std::span<const Vec3f> positions)
        : m_edges(std::move(edges)), m_positions(positions) {
        std::sort(m_edges.begin(), m_edges.end());
        for (std::size_t i = 0; i < m_edges.size(); ++i) {
            if (i == 0 || m_edges[i].from != m_edges[i - 1].from) {
                m_vertices.push_back(m_edges[i].from);
                m_next.push_back(i);
            }
        }
        m_ends.assign(m_next.begin() + (m_next.empty() ? 0 : 1), m_next.end());
        m_ends.push_back(m_edges.size());
        m_indexOnPath.assign(m_vertices.size(), kOffPath);
    }
    MeshRims run(const std::stop_token& stop) {
        for (std::size_t start = 0; start < m_vertices.size(); ++start) {
            if (start % 4096 == 0 && stop.stop_requested())
                throw Cancelled();
            while (m_next[start] < m_ends[start])
                traceFrom(start);
        }
        return m_rims;
    }

private:
    struct Step {
        std::size_t vertex; ///< index into m_vertices
        double length;      ///< length of the edge that leads to this vertex, metres
    };
    void traceFrom(std::size_t start) {
        m_path.assign(1, {start, 0});
        m_indexOnPath[start] = 0;
        do {
            const std::size_t at = m_path.back().vertex;
            if (m_next[at] == m_ends[at])
                throw Fault("the boundary of a mesh has an end");
            const BoundaryEdge edge = m_edges[m_next[at]++];
            const auto found = std::lower_bound(m_vertices.begin(), m_vertices.end(), edge.to);
            if (found == m_vertices.end() || *found != edge.to)
                throw Fault("the boundary of a mesh has an end");
            const auto to = static_cast<std::size_t>(found - m_vertices.begin());
            const double length =
                norm(m_positions[edge.to].as<double>() - m_positions[edge.from].as<double>());
            if (m_indexOnPath[to] == kOffPath) {
                m_indexOnPath[to] = static_cast<std::uint32_t>(m_path.size());
                m_path.push_back({to, length});
            } else {
                closeLoop(m_indexOnPath[to], length);
            }
        } while (m_path.size() > 1);
        m_indexOnPath[start] = kOffPath;
    }
    void closeLoop(std::size_t place, double length) {
        for (std::size_t i = place + 1; i < m_path.size(); ++i) {
            length += m_path[i].length;
            m_indexOnPath[m_path[i].vertex] = kOffPath;
        }
        m_path.resize(place + 1);
        ++m_rims.count;
        m_rims.length += length;
        m_rims.longest = std::max(m_rims.longest, length);
    }

    std::vector<BoundaryEdge> m_edges; // sorted by start vertex
    std::span<const Vec3f> m_positions;
    std::vector<std::uint32_t> m_vertices; // [B] boundary vertices, ascending
    std::vector<std::size_t> m_next,
        m_ends;                               // [B] next unused edge of each vertex, and end of its edges
    std::vector<std::uint32_t> m_indexOnPath; // [B] index of each vertex on the current path
    std::vector<Step> m_path;
    MeshRims m_rims;
};

} // namespace

MeshRims measureRims(std::vector<BoundaryEdge> edges, std::span<const Vec3f> positions,
                     const std::stop_token& stop) {
    return LoopTracer(std::move(edges), positions).run(stop);
}

} // namespace scanloupe
