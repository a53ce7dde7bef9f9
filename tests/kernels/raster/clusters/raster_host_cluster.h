#pragma once
// Clusters of triangles, culled on the host as on the device, compared with exact tests.
#include "kernels/raster/clusters/triangle_cluster_grid.h"
#include "kernels/raster/triangles/triangle_clip.h"
#include "kernels/raster/triangles/triangle_setup.h"
#include "tests/kernels/raster/raster_cull_views.h"
#include "tests/support/bench_scenes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace scanloupe::test {

/// Whether a triangle draws a pixel, by the exact test.
inline bool draws(const RasterView& view, const Vec3f (&corners)[3], bool backFaces) {
    ScreenVertex fan[kClipVertices];
    std::uint32_t states = 0;
    for (int i = 0; i < 3; ++i) {
        fan[i] = projectVertex(view, corners[i]);
        states |= fan[i].state;
    }
    const ScreenVertex screen[3] = {fan[0], fan[1], fan[2]};
    const int count = states == ScreenVertex::drawable ? 3 : clipTriangle(view, corners, screen, fan);
    bool any = false;
    for (int i = 2; i < count; ++i) {
        TriangleSetup t;
        if (setupTriangle(fan[0], fan[i - 1], fan[i], view.width, view.height, backFaces, t))
            coverTriangle<std::int64_t>(t, t.box.minY, t.box.maxY, [&](int, int, float) { any = true; });
    }
    return any;
}

/// A cluster as on the device, but with three vertices a triangle.
struct HostCluster {
    ClusterHead head{};
    std::vector<std::array<Vec3f, 3>> triangles;

    explicit HostCluster(std::vector<std::array<Vec3f, 3>> all) : triangles(std::move(all)) {
        Vec3f low = triangles[0][0], high = low, sum;
        float product = 1, roundness = kClusterReach;
        for (const auto& t : triangles) {
            for (const Vec3f& p : t)
                low = min(low, p), high = max(high, p);
            sum += face(t).normal;
        }
        setBox(head, low, high);
        head.axis = normalized(sum);
        for (const auto& t : triangles) {
            const ClusterFace f = face(t);
            if (squaredNorm(f.normal) > 0)
                product = std::min(product, dot(f.normal, head.axis));
            roundness = std::min(roundness, f.roundness);
        }
        setCone(head, product, roundness);
        head.vertices = static_cast<std::uint32_t>(3 * triangles.size());
    }
    static ClusterFace face(const std::array<Vec3f, 3>& t) {
        const Vec3f corners[3] = {t[0], t[1], t[2]};
        return clusterFace(corners);
    }
};

struct Found {
    int culled = 0, onGrid = 0, drawn = 0, kept = 0, triangles = 0;
};

inline ClusterVisibility visibilityOf(const RasterView& view, const CullView& cull, const ClusterHead& head,
                                      bool backFaces, ClusterGrid& grid) {
    return isClusterCulled(view, cull, head, backFaces) ? ClusterVisibility::culled
                                                        : classifyCluster(view, cull, head, grid);
}

/// Arithmetic for gridCorner() with the largest permitted errors.
struct RoughGrid {
    static float reciprocal(float v) { return RoughReciprocal{}(v); }
    static float one(std::uint32_t word, std::uint32_t left, std::uint32_t mask) {
        return std::bit_cast<float>((std::rotl(word, static_cast<int>(left)) & mask) | 0x3f800000u);
    }
    static std::uint32_t packed(std::uint32_t x, std::uint32_t y) { return (x & 0xffffu) | y << 16; }
};

/// A vertex's position on a grid.
inline std::uint32_t onGrid(const ClusterGrid& grid, const ClusterHead& head, Vec3f position) {
    return gridCorner(grid, clusterVertex(head, position), RoughGrid{});
}

/// Whether the bounding box of some positions on a grid may contain a pixel's centre.
inline bool mayHoldCentre(const ClusterGrid& grid, const std::vector<std::uint32_t>& places) {
    std::uint32_t low = 0xffffffff, high = 0;
    for (const std::uint32_t place : places) {
        low = std::min(low & 0xffff, place & 0xffff) | std::min(low >> 16, place >> 16) << 16;
        high = std::max(high & 0xffff, place & 0xffff) | std::max(high >> 16, place >> 16) << 16;
    }
    return scanloupe::mayHoldCentre(grid, low, high);
}

/// Whether `second` has an edge of `first` in the opposite direction.
inline bool sharesEdge(const std::array<Vec3f, 3>& first, const std::array<Vec3f, 3>& second) {
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k)
            if (first[i] == second[(k + 1) % 3] && first[(i + 1) % 3] == second[k])
                return true;
    return false;
}

/// Culls a cluster as the device does, and checks the result. @returns an error, or none
inline std::string look(const HostCluster& cluster, const RasterView& view, bool backFaces, Found& found) {
    const CullView cull = cullView(view);
    ClusterGrid grid;
    const ClusterVisibility visibility = visibilityOf(view, cull, cluster.head, backFaces, grid);
    found.culled += visibility == ClusterVisibility::culled;
    found.onGrid += visibility == ClusterVisibility::onGrid;
    if (visibility == ClusterVisibility::perTriangle)
        return "";
    for (std::size_t i = 0; i < cluster.triangles.size();) {
        const std::size_t count =
            i + 1 < cluster.triangles.size() && sharesEdge(cluster.triangles[i], cluster.triangles[i + 1])
                ? 2
                : 1;
        std::vector<std::uint32_t> places;
        if (visibility == ClusterVisibility::onGrid)
            for (std::size_t k = 0; k < 3 * count; ++k)
                places.push_back(onGrid(grid, cluster.head, cluster.triangles[i + k / 3][k % 3]));
        const bool looked = visibility == ClusterVisibility::onGrid && mayHoldCentre(grid, places);
        for (std::size_t k = 0; k < count; ++k) {
            const auto& t = cluster.triangles[i + k];
            const Vec3f corners[3] = {t[0], t[1], t[2]};
            const bool kept = looked && !isConservativelyCulled(grid, places[3 * k], places[3 * k + 1],
                                                                places[3 * k + 2], backFaces);
            const bool drawn = draws(view, corners, backFaces);
            ++found.triangles;
            found.kept += kept;
            found.drawn += drawn;
            if (drawn && !kept)
                return visibility == ClusterVisibility::culled ? "a hidden cluster draws"
                                                               : "a triangle was lost on the grid";
        }
        i += count;
    }
    return "";
}

/// Largest distance of a vertex on the grid from its drawn position, as a fraction of the grid's margin.
inline double shareOfMargin(const HostCluster& cluster, const RasterView& view) {
    const CullView cull = cullView(view);
    ClusterGrid grid;
    if (visibilityOf(view, cull, cluster.head, true, grid) != ClusterVisibility::onGrid)
        return 0;
    constexpr double integers = 12582912.0; // the constant of placeGrid()
    double largest = 0;
    const auto look = [&](std::uint32_t place, float shift, float sample, std::int32_t drawn) {
        const double first = sample - (shift - integers) / grid.unit, // pixel of grid position 0
            beside = place / double(grid.unit) + first - (drawn - kHalfPixel) / double(kSubpixels);
        largest = std::max(largest, std::abs(beside) * grid.unit / grid.margin);
    };
    for (const auto& t : cluster.triangles)
        for (const Vec3f& p : t) {
            const ScreenVertex drawn = projectVertex(view, p);
            const std::uint32_t place = onGrid(grid, cluster.head, p);
            look(place & 0xffff, grid.shiftX, cull.sampleX, drawn.x);
            look(place >> 16, grid.shiftY, cull.sampleY, drawn.y);
        }
    return largest;
}

/// Clusters built on the device, copied to the host.
class HostClusters {
public:
    HostClusters(const TriangleClusters& clusters, const std::vector<Vec3f>& positions,
                 const std::vector<std::uint32_t>& indices, StreamView stream)
        : m_heads(clusters.heads.copyTo(MemorySpace::host, stream)),
          m_order(clusters.order.copyTo(MemorySpace::host, stream)),
          m_words(clusters.words.copyTo(MemorySpace::host, stream)), m_positions(positions),
          m_indices(indices) {
        stream.synchronize();
    }
    /// Describes a problem: a triangle in the wrong slot, or a missing one. Empty without one.
    std::string error() const {
        std::vector<bool> seen(m_order.size());
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            if (m_order.data()[i] >= seen.size() || seen[m_order.data()[i]])
                return "a triangle comes twice";
            seen[m_order.data()[i]] = true;
        }
        for (std::size_t c = 0; c < m_heads.size(); ++c) {
            const ClusterHead& head = m_heads.data()[c];
            const std::size_t first = c * kClusterTriangles,
                              count = std::min<std::size_t>(kClusterTriangles, m_order.size() - first);
            if (head.vertices == 0)
                continue;
            if (head.slotCount + head.pairs != count)
                return "triangles without a slot";
            for (std::uint32_t slot = 0; slot < head.slotCount; ++slot) {
                const ClusterPair pair = clusterPair(m_words.data()[head.first + slot]);
                const std::size_t place = first + placeOfSlot(slot, head.pairs);
                if (!holds(head, m_order.data()[place], {pair.a, pair.b, pair.c}) ||
                    (slot < head.pairs && !holds(head, m_order.data()[place + 1], {pair.d, pair.c, pair.b})))
                    return "another triangle in slot " + std::to_string(slot) + " of cluster " +
                           std::to_string(c);
            }
        }
        return "";
    }
    double slotsPerCluster() const {
        double count = 0;
        for (std::size_t c = 0; c < m_heads.size(); ++c)
            count += m_heads.data()[c].slotCount;
        return count / static_cast<double>(m_heads.size());
    }

private:
    /// Whether these are the corners of a triangle, in any rotation.
    bool holds(const ClusterHead& head, std::uint32_t triangle,
               const std::array<std::uint32_t, 3>& places) const {
        const std::uint32_t* const vertices = m_words.data() + head.first + verticesAfter(head.slotCount);
        for (std::size_t from = 0; from < 3; ++from) {
            bool all = true;
            for (std::size_t k = 0; k < 3; ++k)
                all = all && places[k] < head.vertices &&
                      vertices[places[k]] ==
                          clusterVertex(head,
                                        m_positions[m_indices[3 * std::size_t{triangle} + (from + k) % 3]]);
            if (all)
                return true;
        }
        return false;
    }
    Buffer<ClusterHead> m_heads;
    Buffer<std::uint32_t> m_order, m_words;
    const std::vector<Vec3f>& m_positions;
    const std::vector<std::uint32_t>& m_indices;
};

/// A random view of a part of the scene, perspective or orthographic.
inline Projection randomView(std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto anywhere = [&] { return Vec3d{uniform(random), uniform(random), uniform(random)}; };
    Camera camera = cameraAt(anywhere() * 3.0, anywhere(), random() % 3 == 0, 1 + std::abs(uniform(random)));
    camera.verticalFov = 0.9 + 0.8 * uniform(random);
    return Projection(camera, 200 + static_cast<int>(random() % 500), 150 + static_cast<int>(random() % 300));
}

/// Sheets of squares with shared vertices, with random orientations, within or near a view's picture.
/// @param vertices number of vertices along each side of a patch @param pixels approximate side of a square
inline BenchMesh patchesIn(const Projection& p, int patches, int vertices, double pixels,
                           std::mt19937_64& random) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto anywhere = [&] { return Vec3d{uniform(random), uniform(random), uniform(random)}; };
    BenchMesh mesh;
    for (int i = 0; i < patches; ++i) {
        const double x = p.width * (0.5 + 0.6 * uniform(random)),
                     y = p.height * (0.5 + 0.6 * uniform(random)), w = 0.5 + 4 * std::abs(uniform(random));
        const Vec3d middle = unproject(p, x, y, w);
        const double step = norm(unproject(p, x + 1, y, w) - middle) * pixels * std::exp2(uniform(random)),
                     wobble = 0.3 * uniform(random);
        const Vec3d along = normalized(anywhere()), across = normalized(cross(along, anywhere()));
        const auto first = static_cast<std::uint32_t>(mesh.positions.size());
        for (int v = 0; v < vertices; ++v)
            for (int u = 0; u < vertices; ++u)
                mesh.positions.push_back(
                    (middle + along * (step * u) + across * (step * v) + anywhere() * (step * wobble))
                        .as<float>());
        const auto at = [&](int u, int v) { return first + static_cast<std::uint32_t>(v * vertices + u); };
        for (int v = 0; v + 1 < vertices; ++v)
            for (int u = 0; u + 1 < vertices; ++u) {
                const std::uint32_t corners[] = {at(u, v), at(u + 1, v),     at(u + 1, v + 1),
                                                 at(u, v), at(u + 1, v + 1), at(u, v + 1)};
                mesh.indices.insert(mesh.indices.end(), corners, corners + 6);
            }
    }
    return mesh;
}

} // namespace scanloupe::test
