// Finds the triangles that a plane crosses on all cores, and joins their line pieces at shared edges.
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/nearest_voxels.h"
#include "kernels/mesh/section/section_lines.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace scanloupe {

double Polyline::length() const {
    double sum = 0;
    for (std::size_t i = 1; i < points.size(); ++i)
        sum += norm((points[i] - points[i - 1]).as<double>());
    return isClosed ? sum + norm((points.front() - points.back()).as<double>()) : sum;
}

double SectionLines::length() const {
    double sum = 0;
    for (const Polyline& line : lines)
        sum += line.length();
    return sum;
}

std::uint64_t SectionLines::bytes() const {
    std::uint64_t sum = lines.capacity() * sizeof(Polyline);
    for (const Polyline& line : lines)
        sum += line.points.capacity() * sizeof(Vec3f);
    return sum;
}

namespace {

/// Key of a mesh edge: its two vertices, the lower one in the upper bits.
using EdgeKey = std::uint64_t;

EdgeKey edgeKey(std::uint32_t a, std::uint32_t b) {
    return EdgeKey{std::min(a, b)} << 32 | std::max(a, b);
}

/// The piece of a line within a triangle, from one edge to another. If two triangles at an edge have
/// consistent orientations, the edge ends the piece of one triangle and begins the piece of the other.
struct Piece {
    EdgeKey from, to;
};

class PlaneCut {
public:
    PlaneCut(const TriangleMesh& mesh, const CutPlane& plane)
        : m_mesh(mesh), m_at(plane.at.as<double>()), m_normal(plane.normal.as<double>()) {}

    std::optional<Piece> pieceOf(std::size_t triangle) const {
        const std::uint32_t* v = m_mesh.indices.data() + 3 * triangle;
        const bool above[] = {isAbove(v[0]), isAbove(v[1]), isAbove(v[2])};
        if (above[0] == above[1] && above[1] == above[2])
            return std::nullopt;
        Piece piece{};
        for (int i = 0; i < 3; ++i) {
            const int next = (i + 1) % 3;
            if (above[i] != above[next])
                (above[i] ? piece.from : piece.to) = edgeKey(v[i], v[next]);
        }
        return piece;
    }

    Vec3f crossing(EdgeKey edge) const {
        const auto a = std::uint32_t(edge >> 32), b = std::uint32_t(edge);
        const double da = distance(a), db = distance(b);
        const Vec3d pa = m_mesh.positions[a].as<double>(), pb = m_mesh.positions[b].as<double>();
        // both ends are on different sides, so the difference is not 0
        return (pa + (pb - pa) * (da / (da - db))).as<float>();
    }

private:
    double distance(std::uint32_t vertex) const {
        return dot(m_normal, m_mesh.positions[vertex].as<double>() - m_at);
    }
    bool isAbove(std::uint32_t vertex) const { return distance(vertex) >= 0; }

    const TriangleMesh& m_mesh;
    Vec3d m_at, m_normal;
};

/// Returns the triangles that a plane crosses, ascending.
std::vector<std::size_t> crossedTriangles(const PlaneCut& cut, std::size_t triangles,
                                          const std::stop_token& stop) {
    constexpr std::size_t grain = 1 << 16;
    std::vector<std::vector<std::size_t>> parts(chunkCount(triangles, grain));
    parallelChunks(triangles, grain, stop, [&](std::size_t part, std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            if (cut.pieceOf(t))
                parts[part].push_back(t);
    });
    std::vector<std::size_t> all;
    for (const std::vector<std::size_t>& part : parts)
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

/// Removes triangles that are farther than `support.reach` from all voxels.
void keepSupported(std::vector<std::size_t>& triangles, const TriangleMesh& mesh,
                   const SurfaceSupport& support, const std::stop_token& stop) {
    if (!support.voxels || support.voxels->size() == 0 || triangles.empty())
        return;
    const auto corner = [&](std::size_t t, std::size_t i) { return mesh.positions[mesh.indices[3 * t + i]]; };
    std::vector<Vec3f> middles;
    for (const std::size_t t : triangles)
        middles.push_back((corner(t, 0) + corner(t, 1) + corner(t, 2)) * (1 / 3.0f));
    HostQueue q(stop);
    const Buffer<std::uint32_t> nearest = nearestVoxels(q, *support.voxels, middles);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < triangles.size(); ++i) {
        const std::size_t t = triangles[i], v = nearest[i];
        const Vec3f across = cross(corner(t, 1) - corner(t, 0), corner(t, 2) - corner(t, 0));
        const Vec3f mean{support.voxels->mean(0)[v], support.voxels->mean(1)[v], support.voxels->mean(2)[v]};
        const float area = norm(across);
        // only the distance normal to the surface is limited, so that gaps between points in the surface stay
        // bridged
        if (!(area > 0) || std::fabs(dot(middles[i] - mean, across)) <= support.reach * area)
            triangles[kept++] = t;
    }
    triangles.resize(kept);
}

std::vector<Piece> piecesOf(const PlaneCut& cut, const std::vector<std::size_t>& triangles) {
    std::vector<Piece> pieces;
    for (const std::size_t t : triangles)
        pieces.push_back(*cut.pieceOf(t));
    return pieces;
}

/// Chains line pieces: each piece begins at the edge where the previous one ends.
class PieceChains {
public:
    explicit PieceChains(const std::vector<Piece>& pieces)
        : m_pieces(pieces), m_byFrom(pieces.size()), m_isTaken(pieces.size()) {
        for (std::size_t i = 0; i < pieces.size(); ++i)
            m_byFrom[i] = i;
        std::ranges::stable_sort(m_byFrom, {}, [&](std::size_t i) { return pieces[i].from; });
        m_ends.reserve(pieces.size());
        for (const Piece& piece : pieces)
            m_ends.push_back(piece.to);
        std::ranges::sort(m_ends);
    }

    bool isTaken(std::size_t piece) const { return m_isTaken[piece]; }
    bool hasPredecessor(std::size_t piece) const {
        return std::ranges::binary_search(m_ends, m_pieces[piece].from);
    }
    /// Returns the edges that a chain of pieces crosses, starting with an unused piece.
    std::vector<EdgeKey> follow(std::size_t piece) {
        std::vector<EdgeKey> edges{m_pieces[piece].from};
        for (std::optional<std::size_t> next = piece; next; next = successor(edges.back())) {
            m_isTaken[*next] = true;
            edges.push_back(m_pieces[*next].to);
        }
        return edges;
    }

private:
    std::optional<std::size_t> successor(EdgeKey end) const {
        const auto from = [&](std::size_t i) { return m_pieces[i].from; };
        for (auto at = std::ranges::lower_bound(m_byFrom, end, {}, from);
             at != m_byFrom.end() && from(*at) == end; ++at)
            if (!m_isTaken[*at])
                return *at;
        return std::nullopt;
    }

    const std::vector<Piece>& m_pieces;
    std::vector<std::size_t> m_byFrom;
    std::vector<EdgeKey> m_ends;
    std::vector<bool> m_isTaken;
};

} // namespace

namespace cpu {

SectionLines sectionLines(const TriangleMesh& mesh, const CutPlane& plane, const std::stop_token& stop,
                          const SurfaceSupport& support) {
    const PlaneCut cut(mesh, plane);
    std::vector<std::size_t> triangles = crossedTriangles(cut, mesh.triangleCount(), stop);
    keepSupported(triangles, mesh, support, stop);
    const std::vector<Piece> pieces = piecesOf(cut, triangles);
    PieceChains chains(pieces);
    SectionLines section;
    const auto add = [&](std::size_t piece) {
        std::vector<EdgeKey> edges = chains.follow(piece);
        Polyline line;
        line.isClosed = edges.size() > 2 && edges.front() == edges.back();
        if (line.isClosed)
            edges.pop_back();
        for (const EdgeKey edge : edges) {
            const Vec3f point = cut.crossing(edge);
            if (line.points.empty() || !(line.points.back() == point)) // different edges may have the same
                                                                       // point, at a vertex on the plane
                line.points.push_back(point);
        }
        while (line.isClosed && line.points.size() > 1 && line.points.front() == line.points.back())
            line.points.pop_back();
        if (line.points.size() > 1)
            section.lines.push_back(std::move(line));
    };
    for (const bool open : {true, false})
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (!chains.isTaken(i) && (!open || !chains.hasPredecessor(i)))
                add(i);
    return section;
}

} // namespace cpu

} // namespace scanloupe
