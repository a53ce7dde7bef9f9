// Determines how closed shells are nested, by the parity of the number of times a ray crosses each shell.
#include "kernels/mesh/cleanup/shell_nesting.h"

#include "kernels/core/parallel.h"

#include <algorithm>

namespace scanloupe {

namespace {

constexpr std::uint64_t kSamples = 32; // number of triangles tested per shell

/// Returns whether the ray from `p` along +z crosses a triangle. The side of an edge on which the ray passes
/// is computed from the edge's vertices in ascending order, with half-open intervals. Therefore a ray that
/// hits an edge crosses exactly one of its two triangles (Sunday, "Inclusion of a point in a polygon", 2001).
bool crossesTriangle(const TriangleMesh& mesh, std::uint32_t triangle, Vec3d p) {
    const auto at = [&](std::size_t i) { return mesh.indices[std::size_t{3} * triangle + i % 3]; };
    bool isInside = false;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d a = mesh.positions[std::min(at(i), at(i + 1))].as<double>(),
                    b = mesh.positions[std::max(at(i), at(i + 1))].as<double>();
        if ((a.y <= p.y) == (b.y <= p.y))
            continue;
        const double side = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
        isInside ^= (side > 0) == (b.y > a.y);
    }
    if (!isInside)
        return false;
    const Vec3d a = mesh.positions[at(0)].as<double>(), ab = mesh.positions[at(1)].as<double>() - a,
                ac = mesh.positions[at(2)].as<double>() - a, normal = cross(ab, ac);
    const double slope = normal.x * (p.x - a.x) + normal.y * (p.y - a.y);
    return normal.z != 0 && a.z - slope / normal.z > p.z;
}

Vec3d centroid(const TriangleMesh& mesh, std::uint32_t triangle) {
    const auto corner = [&](std::size_t i) {
        return mesh.positions[mesh.indices[std::size_t{3} * triangle + i]].as<double>();
    };
    return (corner(0) + corner(1) + corner(2)) / 3;
}

/// Returns the shells that enclose `p`, ascending.
std::vector<std::uint32_t> shellsAround(const TriangleMesh& mesh, const BvhView& tree,
                                        std::span<const std::uint32_t> shellOf, Vec3d p) {
    struct Entry {
        std::uint64_t box;
        int level;
    };
    std::vector<std::uint32_t> crossed;
    std::vector<Entry> stack{{0, tree.levels - 1}};
    while (!stack.empty()) {
        const Entry top = stack.back();
        stack.pop_back();
        const Box3f& box = tree.boxes[tree.levelBegins[top.level] + top.box];
        if (p.x < box.low.x || p.x > box.high.x || p.y < box.low.y || p.y > box.high.y || p.z > box.high.z)
            continue;
        if (top.level > 0) {
            const std::uint64_t first = top.box * kBvhWidth,
                                last = std::min(first + kBvhWidth, tree.levelSizes[top.level - 1]);
            for (std::uint64_t child = first; child < last; ++child)
                stack.push_back({child, top.level - 1});
            continue;
        }
        const std::uint64_t last = std::min(BvhView::leafBegin(top.box + 1), tree.items);
        for (std::uint64_t place = BvhView::leafBegin(top.box); place < last; ++place) {
            const std::uint32_t triangle = tree.order[place];
            if (shellOf[triangle] != kNoShell && crossesTriangle(mesh, triangle, p))
                crossed.push_back(shellOf[triangle]);
        }
    }
    std::sort(crossed.begin(), crossed.end());
    std::vector<std::uint32_t> around;
    for (std::size_t i = 0; i < crossed.size();) {
        const std::size_t first = i;
        while (i < crossed.size() && crossed[i] == crossed[first])
            ++i;
        if ((i - first) % 2 == 1)
            around.push_back(crossed[first]);
    }
    return around;
}

bool contains(const Box3f& outer, const Box3f& inner) {
    return min(outer.low, inner.low) == outer.low && max(outer.high, inner.high) == outer.high;
}

} // namespace

std::vector<std::uint32_t> nestingDepths(const TriangleMesh& mesh, const Bvh& tree,
                                         std::span<const Shell> shells,
                                         std::span<const std::uint32_t> shellOf,
                                         const std::stop_token& stop) {
    constexpr std::size_t grain = 16; // number of shells per chunk: some milliseconds
    const BvhView view = tree.view();
    std::vector<std::vector<std::uint32_t>> around(shells.size()), samples(shells.size());
    parallelFor(shells.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            around[s] = shellsAround(mesh, view, shellOf, centroid(mesh, shells[s].firstTriangle));
            std::erase_if(around[s], [&](std::uint32_t other) {
                return other == s || !contains(shells[other].box, shells[s].box);
            });
        }
    });
    // most shells have no enclosing candidates left; for the others, test evenly spaced triangles
    std::vector<std::uint64_t> seen(shells.size(), 0);
    for (std::size_t t = 0; t < shellOf.size(); ++t) {
        const std::uint32_t s = shellOf[t];
        if (s != kNoShell && !around[s].empty() &&
            seen[s]++ % (1 + (shells[s].triangles - 1) / kSamples) == 0)
            samples[s].push_back(static_cast<std::uint32_t>(t));
    }
    std::vector<std::uint32_t> depths(shells.size());
    parallelFor(shells.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            for (const std::uint32_t triangle : samples[s]) {
                const auto here = shellsAround(mesh, view, shellOf, centroid(mesh, triangle));
                std::erase_if(around[s], [&](std::uint32_t other) {
                    return !std::binary_search(here.begin(), here.end(), other);
                });
            }
            depths[s] = static_cast<std::uint32_t>(around[s].size());
        }
    });
    return depths;
}

} // namespace scanloupe
