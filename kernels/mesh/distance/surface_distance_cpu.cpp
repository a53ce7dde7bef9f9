// Computes distances between points and meshes, and their statistics, on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/surface_distance.h"
#include "kernels/mesh/distance/triangle_search.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace scanloupe::cpu {

namespace {

/// Copying all triangles for the search is worthwhile if there is at least one point per this number of
/// triangles.
constexpr std::size_t kWorthLayingOut = 4;
constexpr std::size_t kQueries = 1024; // number of queries per chunk: about a millisecond
constexpr std::size_t kSurfaceDistanceGrain = std::size_t{1} << 16;
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

bool isDistance(float value) {
    return value <= std::numeric_limits<float>::max();
}

/// Returns the value at a rank (ascending order) by radix selection. The bits of non-negative floats have the
/// same order as the floats, so three passes find first the highest 11 bits, then the next 11, then the last
/// 10.
float valueAtRank(std::span<const float> values, std::uint64_t rank, const std::stop_token& stop) {
    constexpr int digit = 11;
    using Histogram = std::array<std::uint64_t, 1 << digit>;
    std::uint32_t found = 0, known = 0; // the bits found so far, and a mask of these bits
    for (int shift = 32 - digit;; shift = std::max(shift - digit, 0)) {
        const std::uint32_t width = shift == 0 ? 32 - 2 * digit : digit, mask = (1u << width) - 1;
        std::vector<Histogram> parts(chunkCount(values.size(), kSurfaceDistanceGrain));
        parallelChunks(values.size(), kSurfaceDistanceGrain, stop,
                       [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                           Histogram& counts = parts[chunk];
                           counts.fill(0);
                           for (std::size_t i = begin; i < end; ++i) {
                               const auto bits = std::bit_cast<std::uint32_t>(values[i]);
                               if (isDistance(values[i]) && (bits & known) == found)
                                   ++counts[bits >> shift & mask];
                           }
                       });
        std::uint32_t place = 0;
        for (std::uint64_t below = 0; place < mask; ++place, rank -= below) {
            below = 0;
            for (const Histogram& counts : parts)
                below += counts[place];
            if (rank < below)
                break;
        }
        found |= place << shift;
        known |= mask << shift;
        if (shift == 0)
            return std::bit_cast<float>(found);
    }
}

} // namespace

DistanceStats statisticsOf(std::span<const float> distances, const std::stop_token& stop) {
    struct Sums {
        std::uint64_t count = 0;
        double sum = 0, squares = 0;
        float max = 0;
    };
    const Sums sums = parallelReduce(
        distances.size(), kSurfaceDistanceGrain, stop, Sums{},
        [&](std::size_t begin, std::size_t end) {
            Sums part;
            for (std::size_t i = begin; i < end; ++i) {
                if (!isDistance(distances[i]))
                    continue;
                const auto d = double(distances[i]);
                ++part.count;
                part.sum += d;
                part.squares += d * d;
                part.max = std::max(part.max, distances[i]);
            }
            return part;
        },
        [](const Sums& a, const Sums& b) {
            return Sums{a.count + b.count, a.sum + b.sum, a.squares + b.squares, std::max(a.max, b.max)};
        });
    if (sums.count == 0)
        return {};
    const auto rank = static_cast<std::uint64_t>(0.95 * double(sums.count - 1));
    return {sums.count, sums.sum / double(sums.count), std::sqrt(sums.squares / double(sums.count)),
            double(valueAtRank(distances, rank, stop)), double(sums.max)};
}

PointDistances pointToMesh(std::span<const Vec3f> points, const TriangleMesh& mesh, const Bvh& tree,
                           const std::stop_token& stop) {
    const WallTimer timer;
    if (tree.shape.items != mesh.triangleCount())
        throw Fault("distances to a mesh want the tree of that mesh");
    PointDistances result;
    result.values = Buffer<float>::host(points.size());
    if (points.size() < mesh.triangleCount() / kWorthLayingOut) {
        const BvhView view = tree.view();
        const NearestItem none{kNoItem, HUGE_VAL};
        parallelFor(points.size(), kQueries, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                result.values[i] = isFinite(points[i])
                                       ? float(std::sqrt(nearestTriangle(view, mesh.positions.data(),
                                                                         mesh.indices.data(), points[i], none)
                                                             .squaredDistance))
                                       : kMissing;
        });
    } else {
        parallelFor(points.size(), kSurfaceDistanceGrain, stop, [&](std::size_t begin, std::size_t end) {
            std::fill(result.values.data() + begin, result.values.data() + end, kMissing);
        });
        if (mesh.triangleCount() > 0)
            forNearestTriangles(points, TriangleSearch(mesh, tree, stop), HUGE_VAL, stop,
                                [&](std::size_t i, NearestItem nearest) {
                                    result.values[i] = float(std::sqrt(nearest.squaredDistance));
                                });
    }
    result.stats = statisticsOf(result.values.span(), stop);
    result.cost.bytes = result.values.bytes();
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cpu
