// Cuts a triangle mesh into a manifold: pairs the half-edges, then copies vertices in which several fans
// meet.
#include "kernels/mesh/cleanup/manifold_cut.h"

#include "kernels/core/parallel.h"
#include "kernels/mesh/core/mesh_subset.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::size_t kManifoldCutGrain = std::size_t{1} << 15;
constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

/// Half-edge h = 3 t + i of triangle t runs from corner i to the next corner; h also denotes corner i.
constexpr std::uint64_t nextInTriangle(std::uint64_t h) {
    return h % 3 == 2 ? h - 2 : h + 1;
}
constexpr std::uint64_t previousInTriangle(std::uint64_t h) {
    return h % 3 == 0 ? h + 2 : h - 1;
}

/// The opposite of each half-edge.
class HalfEdges {
public:
    explicit HalfEdges(std::size_t count) : m_opposite(count, kNone) {}

    void pair(std::uint64_t a, std::uint64_t b) {
        if (a != kNone)
            m_opposite[a] = b;
        if (b != kNone)
            m_opposite[b] = a;
    }
    /// Calls `visit(corner)` for each triangle of the fan around the vertex of `corner`, starting with
    /// `corner`, until `visit` returns false.
    template <class Visit>
    void forEachInFan(std::uint64_t corner, Visit&& visit) const {
        std::uint64_t at = corner;
        do {
            if (!visit(at))
                return;
            const std::uint64_t across = m_opposite[at];
            at = across == kNone ? kNone : nextInTriangle(across);
        } while (at != corner && at != kNone);
        if (at == corner)
            return;
        for (at = m_opposite[previousInTriangle(corner)]; at != kNone;
             at = m_opposite[previousInTriangle(at)]) {
            if (!visit(at))
                return;
        }
    }
    bool inSameFan(std::uint64_t a, std::uint64_t b) const {
        bool found = false;
        forEachInFan(a, [&](std::uint64_t corner) {
            found = corner == b;
            return !found;
        });
        return found;
    }

private:
    std::vector<std::uint64_t> m_opposite; // [3 T] opposite half-edge of each half-edge
};

/// The two half-edges of an edge: `up` starts at the lower vertex, `down` at the higher one. One is missing
/// at a boundary.
struct HalfEdgePair {
    std::uint64_t up = kNone, down = kNone;
    std::uint64_t lowCorner() const { return up != kNone ? up : nextInTriangle(down); }
    std::uint64_t highCorner() const { return up != kNone ? nextInTriangle(up) : down; }
};

/// Pairs the half-edges of one branching edge by the angles of their triangles, so that each pair encloses
/// the inside. Seen from the higher vertex along the edge, the inside extends clockwise from a triangle whose
/// half-edge runs up to the next triangle whose half-edge runs down.
std::vector<HalfEdgePair> pairByAngle(std::span<const KeyIndex> halfEdges,
                                      std::span<const std::uint32_t> indices,
                                      std::span<const Vec3f> positions) {
    struct IncidentHalfEdge {
        double angle;
        std::uint64_t halfEdge;
        bool up, taken;
    };
    const auto at = [&](std::uint64_t corner) { return positions[indices[corner]].as<double>(); };
    const std::uint64_t first = halfEdges[0].index;
    const bool firstUp = indices[first] < indices[nextInTriangle(first)];
    const Vec3d low = at(firstUp ? first : nextInTriangle(first)),
                along = at(firstUp ? nextInTriangle(first) : first) - low;
    const Vec3d axis = std::abs(along.x) < std::abs(along.y) ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
    const Vec3d right = cross(along, axis), front = cross(along, right) / std::max(norm(along), 1e-300);
    std::vector<IncidentHalfEdge> incident;
    for (const KeyIndex& item : halfEdges) {
        const std::uint64_t h = item.index;
        const Vec3d apex = at(previousInTriangle(h)) - low;
        const double x = dot(apex, right), y = dot(apex, front), size = std::abs(x) + std::abs(y);
        // pseudo-angle from -2 to 2, which increases with the angle
        const double angle = !(size > 0) ? 0 : y < 0 ? x / size - 1 : 1 - x / size;
        incident.push_back({angle, h, indices[h] < indices[nextInTriangle(h)], false});
    }
    std::stable_sort(incident.begin(), incident.end(),
                     [](const IncidentHalfEdge& a, const IncidentHalfEdge& b) { return a.angle > b.angle; });
    std::vector<HalfEdgePair> pairs;
    std::vector<IncidentHalfEdge*> open;
    for (int round = 0; round < 2; ++round) { // two rounds, since angles are cyclic
        for (IncidentHalfEdge& edge : incident) {
            if (edge.taken)
                continue;
            if (edge.up && round == 0) {
                open.push_back(&edge);
            } else if (!edge.up && !open.empty()) {
                pairs.push_back({open.back()->halfEdge, edge.halfEdge});
                open.back()->taken = edge.taken = true;
                open.pop_back();
            }
        }
    }
    for (const IncidentHalfEdge& edge : incident) {
        if (!edge.taken)
            pairs.push_back(edge.up ? HalfEdgePair{edge.halfEdge, kNone}
                                    : HalfEdgePair{kNone, edge.halfEdge});
    }
    return pairs;
}

/// Separates pairs of half-edges of one edge whose two vertices have common fans, so that the pairs would
/// still form one edge. Exchanging half-edges between two such pairs splits both fans, as a transposition of
/// two elements of a cycle splits the cycle.
void separateFans(std::vector<HalfEdgePair>& pairs, HalfEdges& halfEdges) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        for (std::size_t j = i + 1; j < pairs.size(); ++j) {
            HalfEdgePair &a = pairs[i], &b = pairs[j];
            if (!halfEdges.inSameFan(a.lowCorner(), b.lowCorner()) ||
                !halfEdges.inSameFan(a.highCorner(), b.highCorner()))
                continue;
            std::swap(a.down, b.down);
            halfEdges.pair(a.up, a.down);
            halfEdges.pair(b.up, b.down);
            j = i; // check the remaining pairs again, since they may now share fans with this pair
        }
    }
}

/// Finds the opposite of each half-edge. Returns the number of branching edges.
std::uint64_t pairHalfEdges(std::span<const std::uint32_t> indices, std::span<const Vec3f> positions,
                            HalfEdges& halfEdges, const std::stop_token& stop) {
    const int indexBits = std::bit_width(positions.size());
    std::vector<KeyIndex> items(indices.size()), scratch(indices.size());
    parallelFor(indices.size(), kManifoldCutGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t h = begin; h < end; ++h) {
            const std::uint64_t from = indices[h], to = indices[nextInTriangle(h)];
            items[h] = {std::min(from, to) << indexBits | std::max(from, to), h};
        }
    });
    parallelSortByKey(items, scratch, 2 * indexBits, stop);
    const auto runsUp = [&](std::uint64_t h) { return indices[h] < indices[nextInTriangle(h)]; };
    // begin of the half-edges of each branching edge, per chunk
    std::vector<std::vector<std::size_t>> parts(chunkCount(items.size(), kManifoldCutGrain));
    parallelChunks(items.size(), kManifoldCutGrain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       for (std::size_t i = begin; i < end; ++i) {
                           if (i > 0 && items[i - 1].key == items[i].key)
                               continue; // not the first half-edge of its edge
                           std::size_t last = i + 1;
                           while (last < items.size() && items[last].key == items[i].key)
                               ++last;
                           if (last - i == 2 && runsUp(items[i].index) != runsUp(items[i + 1].index))
                               halfEdges.pair(items[i].index, items[i + 1].index);
                           else if (last - i > 1)
                               parts[chunk].push_back(i);
                       }
                   });
    std::vector<std::vector<HalfEdgePair>> edges;
    for (const auto& part : parts) {
        for (const std::size_t first : part) {
            std::size_t last = first;
            while (last < items.size() && items[last].key == items[first].key)
                ++last;
            edges.push_back(pairByAngle(std::span(items).subspan(first, last - first), indices, positions));
            for (const HalfEdgePair& sides : edges.back())
                halfEdges.pair(sides.up, sides.down);
        }
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (e % 1024 == 0 && stop.stop_requested())
            throw Cancelled();
        separateFans(edges[e], halfEdges); // only splits fans, so edges that were separated before remain
                                           // separated
    }
    return edges.size();
}

} // namespace

ManifoldCut cutToManifold(std::span<std::uint32_t> indices, std::span<const Vec3f> positions,
                          const std::stop_token& stop) {
    ManifoldCut cut;
    HalfEdges halfEdges(indices.size());
    cut.branchingEdges = pairHalfEdges(indices, positions, halfEdges, stop);
    // a fan is identified by its lowest corner; the lowest fan at a vertex keeps the vertex, the other fans
    // get copies
    std::vector<std::uint64_t> fans(indices.size()), lowest(positions.size(), kNone);
    parallelFor(indices.size(), kManifoldCutGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t corner = begin; corner < end; ++corner) {
            std::uint64_t fan = corner;
            halfEdges.forEachInFan(corner, [&fan](std::uint64_t other) {
                fan = std::min(fan, other);
                return true;
            });
            fans[corner] = fan;
            std::atomic_ref mine(lowest[indices[corner]]);
            for (std::uint64_t seen = mine.load(std::memory_order_relaxed);
                 fan < seen && !mine.compare_exchange_weak(seen, fan, std::memory_order_relaxed);) {
            }
        }
    });
    const auto further = selectIndices(indices.size(), stop, [&](std::size_t corner) {
        return fans[corner] == corner && lowest[indices[corner]] != corner;
    });
    if (further.empty())
        return cut;
    if (positions.size() + further.size() > std::numeric_limits<std::uint32_t>::max())
        throw KernelError("the decimated mesh would have more than 2^32 - 1 vertices",
                          "Reduce the number of triangles (--decimate-to).");
    for (const std::uint64_t corner : further)
        cut.copiedFrom.push_back(indices[corner]);
    parallelFor(indices.size(), kManifoldCutGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t corner = begin; corner < end; ++corner) {
            if (fans[corner] == lowest[indices[corner]])
                continue;
            const auto at = std::lower_bound(further.begin(), further.end(), fans[corner]) - further.begin();
            indices[corner] = static_cast<std::uint32_t>(positions.size() + static_cast<std::size_t>(at));
        }
    });
    return cut;
}

} // namespace scanloupe
