// Analyses the orientation of the connected parts of a mesh.
#include "kernels/mesh/cleanup/shell_orientation.h"

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/cleanup/disjoint_sets.h"
#include "kernels/mesh/cleanup/edge_buckets.h"
#include "kernels/mesh/cleanup/shell_nesting.h"
#include "kernels/mesh/core/mesh_subset.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kShellOrientationGrain = std::size_t{1} << 14;

/// Minimum thickness of a part, relative to its size, for the part to enclose a volume; the relative rounding
/// error of single precision is 6e-8.
constexpr double kLeastThickness = 1e-7;

/// A triangle at an edge.
struct EdgeSide {
    std::uint32_t triangle = 0;
    bool leadsDown = false; ///< true if the triangle traverses the edge from the higher to the lower vertex
};

/// The triangles at each edge of a mesh.
class EdgeSides {
public:
    EdgeSides(const TriangleMesh& mesh, const std::stop_token& stop)
        : m_mesh(mesh), m_buckets(mesh, stop, [](std::size_t t, std::uint32_t from, std::uint32_t to) {
              return std::uint64_t{std::max(from, to)} << 32 | std::uint64_t{t} << 1 | (from > to);
          }) {}

    /// Calls `visit(chunk, sides)` for each edge, on all cores. Skips triangles that repeat a vertex.
    template <class Visit>
    void forEach(const std::stop_token& stop, Visit&& visit) {
        parallelChunks(
            m_buckets.vertexCount(), kShellOrientationGrain, stop,
            [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                std::vector<EdgeSide> sides;
                for (std::size_t low = begin; low < end; ++low) {
                    const auto mine = m_buckets.sorted(low);
                    for (std::size_t i = 0; i < mine.size();) {
                        sides.clear();
                        for (const std::uint64_t high = mine[i] >> 32;
                             i < mine.size() && mine[i] >> 32 == high; ++i)
                            sides.push_back({static_cast<std::uint32_t>(mine[i]) >> 1, (mine[i] & 1) != 0});
                        if (sides.size() > 2)
                            std::erase_if(sides, [&](EdgeSide side) { return isCollapsed(side.triangle); });
                        visit(chunk, std::span<const EdgeSide>(sides));
                    }
                }
            });
    }
    std::size_t chunks() const { return chunkCount(m_buckets.vertexCount(), kShellOrientationGrain); }

private:
    bool isCollapsed(std::size_t t) const {
        const std::uint32_t a = m_mesh.indices[3 * t], b = m_mesh.indices[3 * t + 1],
                            c = m_mesh.indices[3 * t + 2];
        return a == b || b == c || c == a;
    }

    const TriangleMesh& m_mesh;
    EdgeBuckets m_buckets;
};

bool isFlipped(EdgeSide a, EdgeSide b) {
    return a.leadsDown == b.leadsDown;
}

/// Returns whether the triangles at an edge form pairs of neighbours. Two triangles always form a pair. More
/// than two triangles meet where parts touch. They form pairs if each two successive triangles (in mesh
/// order, so usually of one part) traverse the edge in opposite directions.
bool arePairs(std::span<const EdgeSide> sides) {
    if (sides.size() == 2)
        return true;
    bool opposite = sides.size() % 2 == 0;
    for (std::size_t i = 1; i < sides.size() && opposite; i += 2)
        opposite = !isFlipped(sides[i - 1], sides[i]);
    return opposite;
}

/// The connected parts of a mesh. A part is identified by its first triangle, its root.
struct Parts {
    std::vector<std::uint32_t> roots;   ///< [T] root of each triangle's part
    std::vector<std::uint8_t> turned;   ///< [T] 1 if the triangle faces the opposite way to its part's root
    std::vector<std::uint8_t> isOpen;   ///< [T] valid for roots: 1 if the part has a border
    std::vector<std::uint8_t> oneSided; ///< [T] valid for roots: 1 if the part is one-sided
    std::uint64_t flippedEdges = 0;
};

/// The sides of those edges whose triangles do not form pairs.
struct OddEdges {
    std::vector<EdgeSide> sides;
    std::vector<std::size_t> ends; ///< end of each edge's sides in `sides`
};

/// Marks the parts that have a border: an edge that the part's triangles traverse more often in one direction
/// than in the other.
void markOpen(Parts& parts, std::span<OddEdges> odd) {
    for (OddEdges& edges : odd) {
        std::size_t begin = 0;
        for (const std::size_t end : edges.ends) {
            const auto sides = std::span(edges.sides).subspan(begin, end - begin);
            begin = end;
            const auto rootOf = [&](EdgeSide side) { return parts.roots[side.triangle]; };
            std::ranges::sort(sides, {}, rootOf);
            for (std::size_t i = 0; i < sides.size();) {
                const std::uint32_t root = rootOf(sides[i]);
                int net = 0;
                for (; i < sides.size() && rootOf(sides[i]) == root; ++i)
                    net += sides[i].leadsDown != (parts.turned[sides[i].triangle] != 0) ? -1 : 1;
                parts.isOpen[root] |= net != 0;
            }
        }
    }
}

/// Connects triangles that are neighbours at an edge. If some neighbours have opposite orientations, each
/// triangle is represented by two members of the disjoint sets, one per orientation. Members with consistent
/// orientations are joined. If both members of a triangle end up in one set, the part is one-sided.
Parts connectedParts(const TriangleMesh& mesh, const std::stop_token& stop) {
    const auto triangles = static_cast<std::uint32_t>(mesh.triangleCount());
    EdgeSides edges(mesh, stop);
    DisjointSets sets(triangles, stop);
    std::vector<OddEdges> odd(edges.chunks());
    std::vector<std::uint64_t> flipped(edges.chunks(), 0);
    edges.forEach(stop, [&](std::size_t chunk, std::span<const EdgeSide> sides) {
        if (!arePairs(sides)) {
            odd[chunk].sides.insert(odd[chunk].sides.end(), sides.begin(), sides.end());
            odd[chunk].ends.push_back(odd[chunk].sides.size());
            return;
        }
        for (std::size_t i = 1; i < sides.size(); i += 2) {
            if (isFlipped(sides[i - 1], sides[i]))
                ++flipped[chunk];
            else
                sets.join(sides[i - 1].triangle, sides[i].triangle);
        }
    });
    Parts parts;
    for (const std::uint64_t count : flipped)
        parts.flippedEdges += count;
    parts.turned.resize(triangles);
    parts.isOpen.resize(triangles);
    parts.oneSided.resize(triangles);
    if (parts.flippedEdges == 0) {
        const auto roots = sets.roots(stop);
        parts.roots.assign(roots.begin(), roots.end());
    } else {
        DisjointSets ways(2 * std::size_t{triangles}, stop);
        edges.forEach(stop, [&](std::size_t, std::span<const EdgeSide> sides) {
            for (std::size_t i = 1; i < sides.size() && arePairs(sides); i += 2) {
                const std::uint32_t a = sides[i - 1].triangle, b = sides[i].triangle;
                const std::uint32_t turn = isFlipped(sides[i - 1], sides[i]) ? triangles : 0;
                ways.join(a, b + turn);
                ways.join(a + triangles, b + triangles - turn);
            }
        });
        const auto roots = ways.roots(stop);
        parts.roots.resize(triangles);
        for (std::size_t t = 0; t < triangles; ++t) {
            const std::uint32_t first = std::min(roots[t], roots[t + triangles]);
            parts.roots[t] = first;
            parts.turned[t] = roots[t] != first;
            parts.oneSided[first] |= roots[t] == roots[t + triangles];
        }
    }
    markOpen(parts, odd);
    return parts;
}

/// Sums over the triangles of a part.
struct PartSums {
    double volume = 0, area = 0; ///< `volume`: volume if all triangles were oriented like the first one
    Box3f box = emptyBox();
    std::uint64_t triangles = 0, turned = 0;
};

PartSums joined(const PartSums& a, const PartSums& b) {
    return {a.volume + b.volume, a.area + b.area, joined(a.box, b.box), a.triangles + b.triangles,
            a.turned + b.turned};
}

/// Returns the sums of each part, [P]. @param numbers [T] index of each triangle's part @param roots [P]
/// first triangle of each part
std::vector<PartSums> sumsOf(const TriangleMesh& mesh, const Parts& parts,
                             std::span<const std::uint32_t> numbers, std::span<const std::uint64_t> roots,
                             const std::stop_token& stop) {
    struct Run {
        std::uint32_t part;
        PartSums sums;
    };
    // consecutive triangles usually belong to the same part
    std::vector<std::vector<Run>> runs(chunkCount(numbers.size(), kShellOrientationGrain));
    parallelChunks(
        numbers.size(), kShellOrientationGrain, stop,
        [&](std::size_t chunk, std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t) {
                if (runs[chunk].empty() || runs[chunk].back().part != numbers[t])
                    runs[chunk].push_back({numbers[t], {}});
                PartSums& sums = runs[chunk].back().sums;
                const auto corner = [&](std::size_t i) { return mesh.positions[mesh.indices[3 * t + i]]; };
                const Vec3f p = corner(0), q = corner(1), r = corner(2);
                // a point near the part, to avoid cancellation
                const Vec3d origin = mesh.positions[mesh.indices[3 * roots[numbers[t]]]].as<double>();
                const Vec3d a = p.as<double>() - origin, b = q.as<double>() - origin,
                            c = r.as<double>() - origin;
                const double volume = dot(a, cross(b, c)) / 6;
                sums.volume += parts.turned[t] ? -volume : volume;
                sums.area += 0.5 * norm(cross(b - a, c - a));
                sums.box = joined(sums.box, Box3f{min(min(p, q), r), max(max(p, q), r)});
                ++sums.triangles;
                sums.turned += parts.turned[t];
            }
        });
    std::vector<PartSums> all(roots.size());
    for (const std::vector<Run>& chunk : runs)
        for (const Run& run : chunk)
            all[run.part] = joined(all[run.part], run.sums);
    return all;
}

bool enclosesVolume(const PartSums& sums) {
    const double size = norm(sums.box.high.as<double>() - sums.box.low.as<double>());
    return std::abs(sums.volume) > kLeastThickness * sums.area * size;
}

} // namespace

ShellOrientation analyseOrientation(const TriangleMesh& mesh, const Bvh& tree, const std::stop_token& stop) {
    const std::size_t triangles = mesh.triangleCount();
    if (triangles >= std::size_t{1} << 31)
        throw KernelError("a mesh of 2^31 triangles or more cannot be checked for its orientation",
                          "Use a coarser mesh.");
    Parts parts = connectedParts(mesh, stop);
    const auto roots = selectIndices(triangles, stop, [&](std::size_t t) { return parts.roots[t] == t; });
    std::vector<std::uint32_t> numbers(triangles); // index of each triangle's part
    for (std::size_t part = 0; part < roots.size(); ++part)
        numbers[roots[part]] = static_cast<std::uint32_t>(part);
    parallelFor(triangles, kShellOrientationGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            if (parts.roots[t] != t)
                numbers[t] = numbers[parts.roots[t]];
    });
    const std::vector<PartSums> sums = sumsOf(mesh, parts, numbers, roots, stop);

    ShellOrientation result;
    result.flippedEdges = parts.flippedEdges;
    std::vector<Shell> shells;
    std::vector<std::uint8_t> facesOutwards;
    std::vector<std::uint32_t> shellOfPart(roots.size(), kNoShell);
    for (std::size_t part = 0; part < roots.size(); ++part) {
        const PartSums& sum = sums[part];
        if (parts.oneSided[roots[part]]) {
            ++result.oneSidedParts;
            continue;
        }
        result.flippedTriangles += std::min(sum.turned, sum.triangles - sum.turned);
        if (parts.isOpen[roots[part]] || !enclosesVolume(sum))
            continue;
        shellOfPart[part] = static_cast<std::uint32_t>(shells.size());
        shells.push_back({sum.box, static_cast<std::uint32_t>(roots[part]), sum.triangles});
        facesOutwards.push_back((sum.volume > 0) != (2 * sum.turned > sum.triangles));
    }
    result.closedParts = shells.size();
    std::vector<std::uint32_t> depths(shells.size(), 0);
    if (shells.size() > 1) {
        parallelFor(triangles, kShellOrientationGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t)
                numbers[t] = shellOfPart[numbers[t]];
        });
        depths = nestingDepths(mesh, tree, shells, numbers, stop);
    }
    for (std::size_t s = 0; s < shells.size(); ++s) {
        const bool isCavity = depths[s] % 2 == 1;
        result.facingInwards += !facesOutwards[s] && !isCavity;
        result.facingOutwards += facesOutwards[s] && isCavity;
    }
    return result;
}

} // namespace scanloupe
