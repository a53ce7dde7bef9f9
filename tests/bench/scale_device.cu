// Generates the points of a tile on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/select/point_set.h"
#include "kernels/synth/scan_generator.h"
#include "kernels/voxelize/core/voxel_element.h"
#include "tests/bench/scale_device.h"

#include <algorithm>
#include <cmath>

namespace scanloupe::bench {

namespace {

/// A range of blocks, and the box of coordinates in which points are kept.
struct Wanted {
    int firstX = 0, firstY = 0, countX = 0, countY = 0;
    Vec3f low, high; ///< relative to the origin, metres
    Vec3d origin;
    IndexBox cells; ///< the cells whose points are kept, exactly
};

__global__ void generate(test::SurveyArea area, Wanted wanted, VoxelCells cells, Vec3f* points,
                         unsigned long long* count) {
    const std::size_t i = cuda::globalIndex();
    const std::uint64_t blocks = std::uint64_t(wanted.countX) * std::uint64_t(wanted.countY);
    bool isKept = i < blocks * area.pointsPerBlock;
    Vec3f p;
    if (isKept) {
        const std::uint64_t block = i / area.pointsPerBlock;
        const auto x = std::uint64_t(wanted.firstX) + block % std::uint64_t(wanted.countX),
                   y = std::uint64_t(wanted.firstY) + block / std::uint64_t(wanted.countX);
        p = (test::surveyPoint(area, y * std::uint64_t(area.blocksX) + x, i % area.pointsPerBlock) -
             wanted.origin)
                .as<float>();
        isKept = cells.contains(p);
        for (int axis = 0; axis < 3; ++axis) {
            const std::int32_t cell = cells.cellAlong(axis, p[axis]);
            isKept = isKept && cell >= wanted.cells.low[axis] && cell < wanted.cells.high[axis];
        }
    }
    // one atomic addition per warp
    const unsigned votes = __ballot_sync(0xffffffffu, isKept);
    const unsigned lane = threadIdx.x % 32;
    unsigned long long base = 0;
    if (lane == 0 && votes != 0)
        base = atomicAdd(count, static_cast<unsigned long long>(__popc(votes)));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (isKept)
        points[base + static_cast<unsigned>(__popc(votes & ((1u << lane) - 1)))] = p;
}

} // namespace

Buffer<Vec3f> deviceTilePoints(const test::SurveyArea& area, const TilePlan& plan, std::size_t tile,
                               StreamView stream) {
    Wanted wanted;
    wanted.cells = plan.cellsNear(tile);
    wanted.origin = plan.params().origin;
    const GridShape& grid = plan.grid();
    for (int axis = 0; axis < 2; ++axis) {
        // extended by one voxel: this box only limits the blocks that are generated
        wanted.low[axis] = grid.origin[axis] + float(wanted.cells.low[axis] - 1) * grid.voxelSize[axis];
        wanted.high[axis] = grid.origin[axis] + float(wanted.cells.high[axis] + 1) * grid.voxelSize[axis];
    }
    const auto blocksOf = [&](int axis, double corner, int most, int& from, int& count) {
        const double low = double(wanted.low[axis]) + wanted.origin[axis] - corner,
                     high = double(wanted.high[axis]) + wanted.origin[axis] - corner;
        from = std::clamp(int(std::floor(low / area.edge)), 0, most - 1);
        count = std::clamp(int(std::floor(high / area.edge)), 0, most - 1) - from + 1;
    };
    blocksOf(0, area.corner.x, area.blocksX, wanted.firstX, wanted.countX);
    blocksOf(1, area.corner.y, area.blocksY, wanted.firstY, wanted.countY);
    const std::uint64_t all =
        std::uint64_t(wanted.countX) * std::uint64_t(wanted.countY) * area.pointsPerBlock;
    auto points = Buffer<Vec3f>::in(MemorySpace::device, all, stream);
    auto none = Buffer<unsigned long long>::host(1);
    none[0] = 0;
    auto count = none.copyTo(MemorySpace::device, stream);
    cuda::launch("generate", all, stream, generate, area, wanted,
                 VoxelCells(grid, plan.params().voxels.rangeMax), points.data(), count.data());
    points.shrink(count.copyTo(MemorySpace::host, stream)[0]);
    return points;
}

} // namespace scanloupe::bench
