// Computes a sample of small tiles of a survey, and measures voxels, vertices and triangles per point.
#include "engine/cloud/point_cloud.h"
#include "engine/compute/memory.h"
#include "engine/survey/tiles/tile_memory.h"
#include "kernels/core/mix_bits.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/operators.h"
#include "kernels/mesh/operators.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

constexpr double kSampledPoints = 1 << 17;
constexpr double kPointsOfTile = 4000; ///< expected number of points in a small tile
/// Minimum edge length of a small tile, in voxels. In smaller tiles, most points would belong to the margin
/// around the tile.
constexpr double kMinTileVoxels = 32;
constexpr double kMinSampledTiles = 32; ///< minimum number of small tiles to compute, including empty ones
constexpr double kMaxSmallTiles = 1 << 16;

/// Fallback if sampling fails: a thin surface with a single point in each voxel.
constexpr SurfacePerPoint kVoxelPerPoint{1, 0.05, 2, 4, 0.02};

/// Returns the index of the part with the most points, among the parts inside the plan's range.
std::size_t fullestPart(const SurveySource& source, const TilePlan& plan) {
    const std::vector<double> points = [&] {
        std::vector<double> found;
        const Vec3d origin = plan.params().origin;
        const Vec3d low = plan.params().voxels.rangeMin.as<double>() + origin,
                    high = plan.params().voxels.rangeMax.as<double>() + origin;
        for (const SurveyPart& part : source.parts()) {
            const bool isNear =
                min(part.bounds.min, high) == part.bounds.min && max(part.bounds.max, low) == part.bounds.max;
            found.push_back(isNear ? double(part.points) : 0);
        }
        return found;
    }();
    return std::size_t(std::ranges::max_element(points) - points.begin());
}

/// Restricts the range to the box of a part. Voxels and field stay the same; attributes are removed.
SurveyParams paramsOver(const Bounds& box, const SurveyParams& whole) {
    SurveyParams params = whole;
    params.attributes = {};
    VoxelizeParams& voxels = params.voxels;
    voxels.rangeMin = max(voxels.rangeMin, (box.min - whole.origin).as<float>() - voxels.voxelSize);
    voxels.rangeMax = min(voxels.rangeMax, (box.max - whole.origin).as<float>() + voxels.voxelSize);
    return params;
}

/// Returns the edge length of tiles with some thousand points, metres; 0: a single tile.
double edgeFor(const SurveyParams& params, double points) {
    if (points <= kSampledPoints)
        return 0;
    const Vec3d extent = (params.voxels.rangeMax - params.voxels.rangeMin).as<double>();
    const double area = std::max({extent.x * extent.y, extent.y * extent.z, extent.z * extent.x});
    const Vec3f voxel = params.voxels.voxelSize;
    double edge = std::max(std::sqrt(area * kPointsOfTile / points),
                           kMinTileVoxels * double(std::max({voxel.x, voxel.y, voxel.z})));
    const auto tiles = [&] {
        return std::ceil(extent.x / edge) * std::ceil(extent.y / edge) * std::ceil(extent.z / edge);
    };
    while (tiles() > kMaxSmallTiles)
        edge *= 1.5;
    return edge;
}

/// Chooses tiles at random, with the same seed in every run.
std::vector<char> chooseTiles(std::size_t tiles, double points) {
    const double share = std::max(kSampledPoints / std::max(points, 1.0), kMinSampledTiles / double(tiles));
    std::vector<char> chosen(tiles);
    for (std::size_t tile = 0; tile < tiles; ++tile)
        chosen[tile] = double(mixBits(tile + 1) >> 11) * 0x1p-53 < share;
    return chosen;
}

/// Counts over the bricks that the tiles own.
struct SurfaceCounts {
    double points = 0, voxels = 0, bricks = 0, vertices = 0, triangles = 0, surfaceBricks = 0;

    void add(const Buffer<Vec3f>& positions, const TilePlan& plan, std::size_t tile, const Execution& on) {
        const SurveyParams& params = plan.params();
        VoxelizeParams inWindow = params.voxels;
        const IndexBox near = plan.cellsNear(tile), cells = plan.cellsOf(tile), owned = plan.bricksOf(tile);
        inWindow.window = {near.low, near.high - near.low};
        const VoxelGrid grid =
            voxelize({positions.data(), positions.size(), {}}, MemorySpace::host, inWindow, on);
        if (grid.size() == 0)
            return;
        const WindowCounts counted = countInWindow(grid, {cells.low, cells.high - cells.low}, on);
        points += double(counted.points);
        voxels += double(counted.voxels);
        const ScalarField field = computeField(grid, params.field, on);
        const auto isOwn = [&](std::uint64_t key) { return owned.contains(brickOf(key, plan.brickDims())); };
        bricks += double(std::ranges::count_if(field.brickKeys.span(), isOwn));
        const SurfaceBricks surface = extractBricks(field, params.iso, on).bricks;
        for (std::size_t b = 0; b < surface.size(); ++b)
            if (isOwn(surface.keys[b])) {
                ++surfaceBricks;
                vertices += double(surface.firstVertex[b + 1] - surface.firstVertex[b]);
                triangles += double(surface.firstTriangle[b + 1] - surface.firstTriangle[b]);
            }
    }
};

} // namespace

SurfaceSample sampleTiles(const SurveySource& source, const TilePlan& plan, const std::stop_token& stop) {
    SurfaceSample sample{kVoxelPerPoint};
    try {
        const std::size_t number = fullestPart(source, plan);
        const SurveyPart& part = source.parts()[number];
        const SurveyParams params = paramsOver(part.bounds, plan.params());
        const TilePlan small(params, edgeFor(params, double(part.points)));
        const std::vector<char> chosen = chooseTiles(small.size(), double(part.points));
        TilePoints points(small, chosen, {});
        source.read(
            number, [&](const SurveyPiece& piece) { points.add({piece.points}, part.bounds, stop); }, stop);
        sample.points = points.bytes() / sizeof(Vec3f);
        SurfaceCounts sum;
        const Execution host{std::nullopt, stop};
        for (std::size_t tile = 0; tile < chosen.size(); ++tile)
            if (chosen[tile])
                if (const TileCloud cloud = points.take(tile, stop); !cloud.positions.empty()) {
                    sample.pointsOfLargest =
                        std::max<std::uint64_t>(sample.pointsOfLargest, cloud.positions.size());
                    sum.add(cloud.positions, small, tile, host);
                }
        if (sum.points > 0)
            sample.perPoint = {sum.voxels / sum.points, sum.bricks / sum.points, sum.vertices / sum.points,
                               sum.triangles / sum.points, sum.surfaceBricks / sum.points};
    } catch (const HostMemoryShort&) {
        throw;
    } catch (const Error&) { // the part is unreadable or outside the range; the job itself will report it
    }
    return sample;
}

} // namespace scanloupe
