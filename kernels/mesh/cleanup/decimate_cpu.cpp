// Decimates meshes on the CPU by vertex clustering (Rossignac and Borrel, 1993) with quadric errors
// (Lindstrom, 2000), and cuts the result into a manifold.
#include "kernels/mesh/cleanup/cluster_element.h"
#include "kernels/mesh/cleanup/disjoint_sets.h"
#include "kernels/mesh/cleanup/edge_table.h"
#include "kernels/mesh/cleanup/manifold_cut.h"
#include "kernels/mesh/cleanup/mesh_cleanup.h"
#include "kernels/mesh/cleanup/vertex_clusters.h"
#include "kernels/mesh/core/mesh_subset.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kDecimateGrain = std::size_t{1} << 15;

TriangleMesh copyOf(const TriangleMesh& mesh) {
    TriangleMesh copy;
    copy.positions = hostCopy(mesh.positions.span());
    copy.normals = hostCopy(mesh.normals.span());
    copy.indices = hostCopy(mesh.indices.span());
    copy.activeCells = mesh.activeCells;
    copy.zeroAreaTriangles = mesh.zeroAreaTriangles;
    copy.cost.bytes = copy.bytes();
    return copy;
}

/// Searches the cube edge length for which the number of triangles equals the target or is slightly below it.
struct EdgeSearch {
    double tooFine = 0, tooCoarse = std::numeric_limits<double>::infinity();
    /// `best`: edge length with the most triangles within the target; `coarsest`: edge length with the fewest
    /// triangles above the target; 0 if none was found yet.
    float best = 0, coarsest = 0;
    std::uint64_t bestCount = 0;
    std::uint64_t coarsestCount = std::numeric_limits<std::uint64_t>::max();

    bool isOver(std::uint64_t target) const {
        constexpr double closeEnough = 0.97, sameEdge = 1.0005;
        return double(bestCount) >= closeEnough * double(target) || tooCoarse < sameEdge * tooFine;
    }
    void update(float edge, std::uint64_t count, std::uint64_t target) {
        if (count > target) {
            tooFine = std::max(tooFine, double(edge));
            if (count < coarsestCount) {
                coarsest = edge;
                coarsestCount = count;
            }
            return;
        }
        tooCoarse = std::min(tooCoarse, double(edge));
        if (count > bestCount) {
            best = edge;
            bestCount = count;
        }
    }
    /// Returns the next edge length to try. The number of triangles is assumed to decrease with the square of
    /// the edge length; an estimate outside the bracket is replaced by bisection.
    float next(float edge, std::uint64_t count, std::uint64_t target) const {
        constexpr double aim = 0.985; // the middle of the accepted range, 0.97 to 1
        const double guess =
            count > 0 ? double(edge) * std::sqrt(double(count) / (aim * double(target))) : 0.0;
        if (guess > tooFine && guess < tooCoarse)
            return float(guess);
        if (std::isinf(tooCoarse))
            return edge * 2;
        return float(tooFine > 0 ? std::sqrt(tooFine * tooCoarse) : tooCoarse / 2);
    }
};

/// Marks pairs of triangles with the same corners and opposite orientations among `triangles` [K, 3].
/// Removing both triangles of a pair keeps a closed surface closed.
std::vector<std::uint8_t> findFolds(std::span<const std::uint32_t> triangles, int keyBits,
                                    const std::stop_token& stop) {
    struct SortedTriangle {
        std::uint32_t middle, highest;
        std::size_t triangle;
        bool reversed; ///< true if the orientation is opposite to (lowest, middle, highest)
        bool sameCorners(const SortedTriangle& other) const {
            return middle == other.middle && highest == other.highest;
        }
    };
    const std::size_t count = triangles.size() / 3;
    std::vector<KeyIndex> items(count), scratch(count);
    parallelFor(count, kDecimateGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            items[t] = {*std::min_element(&triangles[3 * t], &triangles[3 * t] + 3), t};
    });
    parallelSortByKey(items, scratch, keyBits, stop);
    const auto sortedTriangle = [&](std::size_t t) {
        const std::uint32_t* corners = &triangles[3 * t];
        const auto low = std::min_element(corners, corners + 3) - corners;
        const std::uint32_t b = corners[(low + 1) % 3], c = corners[(low + 2) % 3];
        return SortedTriangle{std::min(b, c), std::max(b, c), t, b > c};
    };
    std::vector<std::uint8_t> folded(count, 0);
    parallelFor(count, kDecimateGrain, stop, [&](std::size_t begin, std::size_t end) {
        std::vector<SortedTriangle> group; // triangles that share their lowest vertex
        for (std::size_t i = begin; i < end;) {
            const std::uint64_t lowest = items[i].key;
            if (i > 0 && items[i - 1].key == lowest) { // the group belongs to the previous chunk
                ++i;
                continue;
            }
            group.clear();
            for (; i < count && items[i].key == lowest; ++i)
                group.push_back(sortedTriangle(items[i].index));
            std::stable_sort(group.begin(), group.end(),
                             [](const SortedTriangle& a, const SortedTriangle& b) {
                                 return a.middle != b.middle ? a.middle < b.middle : a.highest < b.highest;
                             });
            for (std::size_t first = 0, last = 0; first < group.size(); first = last) {
                while (last < group.size() && group[last].sameCorners(group[first]))
                    ++last;
                const auto reversed =
                    std::count_if(group.begin() + std::ptrdiff_t(first), group.begin() + std::ptrdiff_t(last),
                                  [](const SortedTriangle& f) { return f.reversed; });
                const auto pairs =
                    std::min<std::ptrdiff_t>(reversed, std::ptrdiff_t(last - first) - reversed);
                std::ptrdiff_t left[2] = {pairs, pairs};
                for (std::size_t f = first; f < last; ++f) {
                    if (left[group[f].reversed]-- > 0)
                        folded[group[f].triangle] = 1;
                }
            }
        }
    });
    return folded;
}

/// Clusters the vertices with the edge length that meets the target, or else with the coarsest one that
/// leaves any triangle. Returns the final state of the search.
EdgeSearch clusterToTarget(VertexClusters& clusters, std::uint64_t target, const std::stop_token& stop) {
    constexpr int maxSteps = 24;
    const auto trianglesAt = [&](float edge) {
        const std::uint64_t count = clusters.cluster(edge);
        if (count > std::max<std::uint64_t>(2 * target, 64)) // above this count, removing folds cannot reach
                                                             // the target
            return count;
        const auto folded = findFolds(clusters.triangles(), clusters.indexBits(), stop);
        return count - static_cast<std::uint64_t>(std::count(folded.begin(), folded.end(), 1));
    };
    EdgeSearch search;
    // on average, a surface of area A intersects 1.5 A / edge^2 cubes, and a mesh has two triangles per
    // vertex
    float edge = float(std::sqrt(3 * clusters.area() / double(target)));
    if (!(edge > clusters.smallestEdge()))
        edge = clusters.smallestEdge();
    float last = 0;
    for (int step = 0; step < maxSteps && !search.isOver(target); ++step) {
        const std::uint64_t count = trianglesAt(edge);
        search.update(edge, count, target);
        last = edge;
        edge = search.next(edge, count, target);
    }
    const float chosen = search.best > 0 ? search.best : search.coarsest;
    if (chosen > 0 && chosen != last)
        clusters.cluster(chosen);
    return search;
}

/// Appends copies of vertices. Recomputes the normals of the copied vertices and of their copies from their
/// triangles.
void copyVertices(TriangleMesh& mesh, std::span<const std::uint32_t> copiedFrom) {
    const std::size_t before = mesh.vertexCount(), after = before + copiedFrom.size();
    auto positions = Buffer<Vec3f>::host(after), normals = Buffer<Vec3f>::host(after);
    std::copy_n(mesh.positions.data(), before, positions.data());
    std::copy_n(mesh.normals.data(), before, normals.data());
    std::vector<std::uint8_t> wasShared(after, 0);
    for (std::size_t copy = 0; copy < copiedFrom.size(); ++copy) {
        const std::uint32_t of = copiedFrom[copy];
        positions[before + copy] = positions[of];
        normals[before + copy] = normals[of]; // keep the normal if the triangles have no area
        wasShared[of] = wasShared[before + copy] = 1;
    }
    std::vector<Vec3d> sums(after);
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const std::uint32_t* corners = &mesh.indices[3 * t];
        if (!wasShared[corners[0]] && !wasShared[corners[1]] && !wasShared[corners[2]])
            continue;
        const Vec3d a = positions[corners[0]].as<double>();
        const Vec3d normal =
            cross(positions[corners[1]].as<double>() - a, positions[corners[2]].as<double>() - a);
        for (int i = 0; i < 3; ++i)
            sums[corners[i]] += normal;
    }
    for (std::size_t v = 0; v < after; ++v) {
        const Vec3d unit = normalized(sums[v]);
        if (wasShared[v] && isFinite(unit) && squaredNorm(unit) > 0.5)
            normals[v] = unit.as<float>();
    }
    mesh.positions = std::move(positions);
    mesh.normals = std::move(normals);
}

double areaOf(const TriangleMesh& mesh, std::size_t triangle) {
    const std::uint32_t* corners = &mesh.indices[3 * triangle];
    const Vec3d a = mesh.positions[corners[0]].as<double>();
    return 0.5 * norm(cross(mesh.positions[corners[1]].as<double>() - a,
                            mesh.positions[corners[2]].as<double>() - a));
}

/// Returns the connected components as sets of vertices.
DisjointSets partsOf(std::span<const std::uint32_t> indices, std::size_t vertices,
                     const std::stop_token& stop) {
    DisjointSets sets(vertices, stop);
    parallelFor(indices.size() / 3, kDecimateGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            sets.join(indices[3 * t], indices[3 * t + 1]);
            sets.join(indices[3 * t], indices[3 * t + 2]);
        }
    });
    return sets;
}

/// Returns the triangles to keep after a mesh was cut. Removes small closed components that the cut separated
/// from a larger component, such as flat tetrahedra that were attached by an edge. @param mesh the mesh after
/// the cut; its vertices from `before.size()` on are copies @param minArea square metres; smaller components
/// are removed @param before components before the cut
std::vector<std::uint64_t> withoutChips(const TriangleMesh& mesh, double minArea, DisjointSets& before,
                                        std::span<const std::uint32_t> copiedFrom,
                                        const std::stop_token& stop) {
    const auto indices = mesh.indices.span();
    DisjointSets after = partsOf(indices, mesh.vertexCount(), stop);
    std::vector<double> area(mesh.vertexCount(), 0), largest(before.size(), 0);
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t)
        area[after.root(indices[3 * t])] += areaOf(mesh, t);
    const auto former = [&](std::uint32_t vertex) {
        return before.root(vertex < before.size() ? vertex : copiedFrom[vertex - before.size()]);
    };
    for (std::uint32_t v = 0; v < mesh.vertexCount(); ++v)
        largest[former(v)] = std::max(largest[former(v)], area[v]);
    std::vector<std::uint8_t> isOpen(mesh.vertexCount(), 0);
    EdgeTable edges(mesh, stop);
    edges.forEach(0, mesh.vertexCount(), [&](const EdgeTable::Pair& pair) {
        if (pair.upwards != pair.downwards)
            isOpen[after.root(pair.low)] = 1;
    });
    return selectIndices(mesh.triangleCount(), stop, [&](std::size_t t) {
        const std::uint32_t part = after.root(indices[3 * t]);
        return area[part] >= minArea || isOpen[part] || area[part] == largest[former(part)];
    });
}

/// Returns the number of branching edges, see MeshTopology::nonManifoldEdges.
std::uint64_t countBranching(const TriangleMesh& mesh, const std::stop_token& stop) {
    EdgeTable edges(mesh, stop);
    return parallelReduce(
        mesh.vertexCount(), kDecimateGrain, stop, std::uint64_t{0},
        [&edges](std::size_t begin, std::size_t end) {
            std::uint64_t count = 0;
            edges.forEach(begin, end, [&](const EdgeTable::Pair& pair) { count += pair.branching(); });
            return count;
        },
        std::plus<>());
}

/// Cuts a mesh whose surface touches itself into a manifold, and records the changes in `counts`.
void separateTouchingSurfaces(TriangleMesh& mesh, DecimatedMesh& counts, const std::stop_token& stop) {
    DisjointSets before = partsOf(mesh.indices.span(), mesh.vertexCount(), stop);
    const ManifoldCut cut = cutToManifold(mesh.indices.span(), mesh.positions.span(), stop);
    counts.partedEdges = cut.branchingEdges;
    if (cut.copiedFrom.empty())
        return;
    copyVertices(mesh, cut.copiedFrom);
    const double minChipArea = 0.5 * double(counts.cellSize) * double(counts.cellSize);
    const auto kept = withoutChips(mesh, minChipArea, before, cut.copiedFrom, stop);
    counts.chippedTriangles = mesh.triangleCount() - kept.size();
    if (counts.chippedTriangles > 0)
        mesh = subset(mesh, kept, stop);
}

} // namespace

DecimatedMesh decimate(const TriangleMesh& mesh, std::uint64_t targetTriangles, const std::stop_token& stop) {
    if (targetTriangles == 0)
        throw KernelError("a mesh cannot be decimated to 0 triangles",
                          "Set a target of at least 1 triangle.");
    const WallTimer timer;
    DecimatedMesh result;
    if (mesh.triangleCount() <= targetTriangles) {
        result.mesh = copyOf(mesh);
        return result;
    }
    VertexClusters clusters(mesh, stop);
    const EdgeSearch search = clusterToTarget(clusters, targetTriangles, stop);
    result.reachedTarget = search.best > 0;
    if (!(search.best > 0) && !(search.coarsest > 0)) { // cubes of any size would remove all triangles
        result.mesh = copyOf(mesh);
        return result;
    }
    result.cellSize = clusters.edge();
    auto triangles = clusters.triangles();
    result.collapsedTriangles = mesh.triangleCount() - triangles.size() / 3;
    const auto folded = findFolds(triangles, clusters.indexBits(), stop);
    const auto kept = selectIndices(folded.size(), stop, [&](std::size_t t) { return folded[t] == 0; });
    result.foldedTriangles = folded.size() - kept.size();

    TriangleMesh& coarse = result.mesh;
    coarse.activeCells = mesh.activeCells;
    coarse.indices = Buffer<std::uint32_t>::host(3 * kept.size());
    parallelFor(kept.size(), kDecimateGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            std::copy_n(&triangles[3 * kept[t]], 3, &coarse.indices[3 * t]);
    });
    const VertexRemap used = remapUsedVertices(coarse.indices.span(), mesh.vertexCount(), stop);
    parallelFor(coarse.indices.size(), kDecimateGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            coarse.indices[i] = used.numbers[coarse.indices[i]];
    });
    clusters.placeVertices(used, coarse);
    separateTouchingSurfaces(coarse, result, stop);
    if (result.partedEdges > 0)
        result.branchingBefore = countBranching(mesh, stop);
    coarse.zeroAreaTriangles = countZeroArea(coarse.positions.span(), coarse.indices.span(), stop);
    coarse.cost.bytes = coarse.bytes();
    coarse.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cpu
