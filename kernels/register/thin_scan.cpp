// Thins a scan by a voxel grid: replaces the points in each cube by their mean.
#include "kernels/core/parallel.h"
#include "kernels/register/ndt.h"

#include <bit>
#include <cmath>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kThinScanGrain = std::size_t{1} << 14;

struct Bounds {
    Vec3f low{HUGE_VALF, HUGE_VALF, HUGE_VALF}, high{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
    std::size_t finite = 0;
};

/// Grid of cells with coordinates from 0 on, and the number of bits of each axis in a key.
struct CellGrid {
    Vec3d low;
    double inverseEdge;
    int bitsX, bitsY, bitsZ;

    std::uint64_t key(Vec3f p) const {
        const Vec3d place = (p.as<double>() - low) * inverseEdge; // never below 0
        return static_cast<std::uint64_t>(place.z) << (bitsX + bitsY) |
               static_cast<std::uint64_t>(place.y) << bitsX | static_cast<std::uint64_t>(place.x);
    }
};

CellGrid gridFor(const Bounds& bounds, double edge) {
    CellGrid grid{bounds.low.as<double>(), 1 / edge, 0, 0, 0};
    const Vec3d cells = (bounds.high.as<double>() - grid.low) * grid.inverseEdge;
    if (!(std::max({cells.x, cells.y, cells.z}) < double(1 << 21)))
        throw KernelError("a scan is more than 2^21 cells wide", "Take a larger edge to thin it with.");
    const auto bits = [](double last) { return std::bit_width(static_cast<std::uint64_t>(last)); };
    grid.bitsX = bits(cells.x);
    grid.bitsY = bits(cells.y);
    grid.bitsZ = bits(cells.z);
    return grid;
}

} // namespace

std::vector<Vec3f> thinScan(std::span<const Vec3f> points, double edge, const std::stop_token& stop) {
    if (!(edge > 0) || !std::isfinite(edge))
        throw KernelError("the edge to thin a scan with is not a positive length", "Take 0.2 metres or so.");
    const Bounds bounds = parallelReduce(
        points.size(), kThinScanGrain, stop, Bounds{},
        [&](std::size_t begin, std::size_t end) {
            Bounds part;
            for (std::size_t i = begin; i < end; ++i)
                if (isFinite(points[i]))
                    part = {min(part.low, points[i]), max(part.high, points[i]), part.finite + 1};
            return part;
        },
        [](const Bounds& a, const Bounds& b) {
            return Bounds{min(a.low, b.low), max(a.high, b.high), a.finite + b.finite};
        });
    if (bounds.finite == 0)
        return {};
    const CellGrid grid = gridFor(bounds, edge);
    const int bits = grid.bitsX + grid.bitsY + grid.bitsZ;
    std::vector<KeyIndex> items(points.size()), scratch(points.size());
    parallelFor(points.size(), kThinScanGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) // points that are not finite sort last
            items[i] = {isFinite(points[i]) ? grid.key(points[i]) : std::uint64_t{1} << bits, i};
    });
    parallelSortByKey(items, scratch, bits + 1, stop);
    std::vector<Vec3f> kept;
    for (std::size_t begin = 0, end = 0; begin < bounds.finite; begin = end) {
        Vec3d sum;
        for (; end < bounds.finite && items[end].key == items[begin].key; ++end)
            sum += points[items[end].index].as<double>();
        kept.push_back((sum / double(end - begin)).as<float>());
    }
    return kept;
}

} // namespace scanloupe::cpu
