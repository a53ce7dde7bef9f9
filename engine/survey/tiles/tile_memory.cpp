// Forecasts the memory of tiling jobs from the arrays that are in use at the same time.
#include "engine/survey/tiles/tile_memory.h"

#include "engine/compute/memory.h"
#include "engine/survey/tiles/ranked_run.h"
#include "engine/survey/tiles/surface_digest.h"
#include "engine/survey/tiles/waiting_points.h"
#include "kernels/core/parallel.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace scanloupe {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
/// Resident memory of the program before it has points: PROJ with a look-up in its database (20 MiB without a
/// look-up), and the additional memory of Open MPI.
constexpr std::uint64_t kProgramBytes = 26 * kMebibyte, kMpiBytes = 9 * kMebibyte;

// Ratio of the process's memory to the memory in use. Threads keep freed memory (keepFreedMemory()), and new
// arrays do not always fit into the gaps. Fitted to the 40 jobs of tests/scripts/check_tile_memory.py, and to
// 80 jobs with smaller and larger files; 2026-11-29, glibc 2.36, two cores.
constexpr double kWaitingFactor = 1.25;
constexpr double kReadingFactor = 1.15;
constexpr double kTilesFactor = 1.35;

/// Expected number of points in tiles.
struct PointsOfTiles {
    /// [tiles.y, tiles.x] sums over each vertical column of tiles: points inside the tiles, and all points
    /// that the tiles need.
    std::vector<double> columnsOwn, columnsNeeded;

    PointsOfTiles(const std::vector<SurveyPart>& parts, const TilePlan& plan)
        : columnsOwn(std::size_t(plan.tiles().x) * std::size_t(plan.tiles().y)),
          columnsNeeded(columnsOwn.size()) {
        const std::vector<double> own = expectedPoints(parts, plan);
        const auto columnOf = [&](std::size_t tile) {
            const Vec3i place = plan.placeOf(tile);
            return std::size_t(place.y) * std::size_t(plan.tiles().x) + std::size_t(place.x);
        };
        for (std::size_t tile = 0; tile < own.size(); ++tile)
            columnsOwn[columnOf(tile)] += own[tile];
        for (const SurveyPart& part : parts) {
            const int lowest = plan.tilesNear(part.bounds).low.z;
            plan.forTilesNear(part.bounds, [&](std::size_t tile) {
                // The vertical distribution of a part's points is unknown, so they are counted once per
                // column, at its lowest tile.
                if (plan.placeOf(tile).z == lowest)
                    columnsNeeded[columnOf(tile)] +=
                        double(part.points) * shareIn(part.bounds, plan.boundsNear(tile), 2);
            });
        }
    }
};

/// Sizes of the attribute values of a voxel or a vertex.
struct ValueBytes {
    std::uint64_t numbers = 0, classes = 0, perPoint = 0;

    explicit ValueBytes(const SurveyAttributes& attributes) : perPoint(attributes.bytesPerPoint()) {
        for (const SurveyAttribute& attribute : attributes.list)
            ++(attribute.isClasses ? classes : numbers);
    }
    bool any() const { return numbers + classes > 0; }
    /// Returns the size of all values of a voxel or a vertex, bytes.
    std::uint64_t each() const { return (numbers + classes) * sizeof(float); }
};

/// Returns the size of the mesh per point, bytes.
double meshBytes(const SurfacePerPoint& surface, const ValueBytes& values) {
    return surface.vertices * (2 * sizeof(Vec3f) + double(values.each())) +
           surface.triangles * 3 * sizeof(std::uint32_t);
}

constexpr double kGridBytes =
    sizeof(std::uint64_t) + sizeof(std::uint32_t) + 3 * sizeof(float); ///< fixed size of a voxel: key, count,
                                                                       ///< position

/// Returns the memory in use while the surface of `points` points is computed on the host, bytes.
/// @param cells number of cells in the points' window
double bytesOfSurface(double points, double cells, const SurfacePerPoint& surface, const ValueBytes& values) {
    constexpr double sums = 4 * sizeof(std::uint64_t);
    // Field: values, key and cell mask of each brick. During extraction also five masks of each brick's nodes
    // (three of them for edges), neighbours, counts and offsets.
    constexpr double field = kBrickNodes * sizeof(float) + (kBrickEdge + 1) * sizeof(std::uint64_t);
    constexpr double extraction = 6 * kBrickEdge * sizeof(std::uint64_t) + 27 * sizeof(std::uint32_t) + 128;
    const double voxels = points * surface.voxels, bricks = points * surface.bricks;
    const double positions = points * (sizeof(Vec3f) + double(values.perPoint));
    const double voxelOf = values.any() ? points * sizeof(std::uint32_t) : 0;
    // Step 1 finds the occupied cells with a bitmap or by sorting (find_voxels_*.cpp), and averages the
    // points.
    const double search = cells / 32 <= points ? cells / 4 : points * 20;
    const double averaging = positions + voxelOf + search + voxels * (kGridBytes + sums);
    // Step 2 averages attributes: sums of numbers; for classes, points sorted by voxel.
    const double voxelValues = voxelOf + voxels * (kGridBytes + double(values.each()));
    const double sorting =
        values.classes > 0 ? points * (double(values.classes) + 4) * sizeof(std::uint32_t) : voxels * 8;
    // Step 3 extracts the surface from the field.
    const double extracting =
        positions + voxelValues + bricks * (field + extraction) + points * meshBytes(surface, values);
    return std::max({averaging, positions + voxelValues + (values.any() ? sorting : 0.0), extracting});
}

/// Returns the memory in use while a tile is computed, extracted and written on the host, bytes.
/// @param needed, own number of points required for the tile, and inside the tile @param cells number of
///     cells in the tile's window
double bytesOfTile(double needed, double own, double cells, const SurfacePerPoint& surface,
                   const ValueBytes& values, bool keepsVoxels) {
    const double ownGrid = keepsVoxels ? own * surface.voxels * (kGridBytes + double(values.each())) : 0;
    const double points = needed * (sizeof(Vec3f) + double(values.perPoint));
    const double cutting = points + (needed + own) * meshBytes(surface, values);
    return ownGrid + std::max(bytesOfSurface(needed, cells, surface, values), cutting);
}

/// Returns the memory of sampleTiles(), bytes: the sampled points, and in addition the larger of the part
/// being read and the surface of its largest tile, which reuses that memory. @param reading memory of the
/// part, bytes
std::uint64_t bytesOfSample(const SurfaceSample& sample, std::uint64_t reading) {
    constexpr double anyCells = std::numeric_limits<double>::infinity(); // cells are found by sorting
    const double surface =
        bytesOfSurface(double(sample.pointsOfLargest), anyCells, sample.perPoint, ValueBytes({}));
    return std::uint64_t(kWaitingFactor * double(sample.points * sizeof(Vec3f)) +
                         std::max(double(reading), surface));
}

/// Returns the maximum number of points that wait in a process at the same time.
double pointsThatWait(const std::vector<SurveyPart>& parts, const TilePlan& plan, int ranks) {
    const std::vector<std::vector<TileShare>> order = sharesInOrder(parts, plan);
    const double readAhead = double(pointsOfLargest(parts));
    if (ranks <= 1)
        return maxWaitingPoints(order, readAhead);
    double most = 0;
    for (const IndexBox& group : tileGroups(plan, parts, ranks))
        most = std::max(most, maxWaitingPoints(sharesOfGroup(order, plan, group), readAhead));
    return most;
}

} // namespace

std::vector<double> expectedPoints(const std::vector<SurveyPart>& parts, const TilePlan& plan) {
    std::vector<double> points(plan.size());
    for (const SurveyPart& part : parts)
        plan.forTilesNear(part.bounds, [&](std::size_t tile) {
            points[tile] += double(part.points) * shareIn(part.bounds, plan.boundsOf(tile));
        });
    return points;
}

TileMemory forecastMemory(const std::vector<SurveyPart>& parts, const TilePlan& plan,
                          const TileRunOptions& options, const TileMemoryParams& params) {
    const ValueBytes values(plan.params().attributes);
    const std::uint64_t bytesPerPoint = sizeof(Vec3f) + values.perPoint;
    TileMemory memory;
    memory.program = kProgramBytes + (params.ranks > 0 ? kMpiBytes : 0);
    const std::uint64_t largestPart = pointsOfLargest(parts);
    memory.reading = std::uint64_t(
        kReadingFactor * double(largestPart * bytesPerPoint +
                                std::min<std::uint64_t>(largestPart, kSurveyPiecePoints) * sizeof(Vec3d)));
    memory.sampling = bytesOfSample(params.sample, memory.reading);
    const PointsOfTiles points(parts, plan);
    memory.pointsOfLargest = std::uint64_t(std::ranges::max(points.columnsOwn));
    const double bricks = params.sample.perPoint.surfaceBricks *
                          std::accumulate(points.columnsOwn.begin(), points.columnsOwn.end(), 0.0);
    memory.summing =
        std::uint64_t(std::min(bricks, double(SurfaceDigest::kMaxBricks)) * SurfaceDigest::kBytesOfBrick);
    memory.waiting = std::min(maxWaiting(options), std::uint64_t(kWaitingFactor * double(bytesPerPoint) *
                                                                 pointsThatWait(parts, plan, params.ranks)));
    const auto largest =
        std::size_t(std::ranges::max_element(points.columnsNeeded) - points.columnsNeeded.begin());
    const IndexBox near = plan.cellsNear(largest); // each column is represented by its lowest tile
    const Vec3d cells = (near.high - near.low).as<double>();
    const double bytes =
        bytesOfTile(points.columnsNeeded[largest], points.columnsOwn[largest], cells.x * cells.y * cells.z,
                    params.sample.perPoint, values, params.keepsVoxels);
    std::uint64_t threads = 0;
    for (const ComputeWorker& worker : options.workers)
        threads += std::uint64_t(threadsOf(worker));
    memory.computing = std::uint64_t(kTilesFactor * bytes) * std::min<std::uint64_t>(threads, plan.size());
    return memory;
}

} // namespace scanloupe
