// Forecasts the memory of jobs in tiles from the arrays that are in use at once.
#include "engine/tiles/tile_memory.h"

#include "engine/compute/memory.h"
#include "engine/tiles/ranked_run.h"
#include "kernels/core/parallel.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
/// Resident memory of the program before it has points, and what Open MPI adds to it.
constexpr std::uint64_t kProgramBytes = 19 * kMebibyte, kMpiBytes = 31 * kMebibyte;

// By how much the memory of the process grows for each byte that is in use: threads keep what they free, and
// new arrays do not always fit into what old ones have left (keepFreedMemory()). Measured on 2026-11-29 with
// glibc 2.36 and two cores over 61 jobs of 1 to 16 million points in 1 to 128 tiles.
constexpr double kWaitingFactor = 1.3;
constexpr double kCopiesFactor = 0.8; ///< of points that several tiles need: some are computed meanwhile
constexpr double kReadingFactor = 1.25;
constexpr double kFirstTileFactor = 1.4, kTilesFactor = 1.75; ///< later tiles leave holes, too

/// The share of a box that lies in another one, along some axes.
double shareIn(const Bounds& box, const Bounds& other, int axes = 3) {
    double share = 1;
    for (int axis = 0; axis < axes; ++axis) {
        const double extent = box.max[axis] - box.min[axis];
        const double common =
            std::min(box.max[axis], other.max[axis]) - std::max(box.min[axis], other.min[axis]);
        share *= extent > 0 ? std::clamp(common / extent, 0.0, 1.0) : 1;
    }
    return share;
}

/// Expected points of tiles.
struct PointsOfTiles {
    std::vector<double> own, needed; ///< [tiles] those in its bricks, and all that it needs
    std::vector<double> columnsOwn,
        columnsNeeded; ///< [tiles.y, tiles.x] the same of all tiles above each other

    PointsOfTiles(const std::vector<SurveyPart>& parts, const TilePlan& plan)
        : own(expectedPoints(parts, plan)), needed(plan.size()),
          columnsOwn(std::size_t(plan.tiles().x) * std::size_t(plan.tiles().y)),
          columnsNeeded(columnsOwn.size()) {
        const auto columnOf = [&](std::size_t tile) {
            const Vec3i place = plan.placeOf(tile);
            return std::size_t(place.y) * std::size_t(plan.tiles().x) + std::size_t(place.x);
        };
        for (std::size_t tile = 0; tile < own.size(); ++tile)
            columnsOwn[columnOf(tile)] += own[tile];
        for (const SurveyPart& part : parts) {
            const int lowest = plan.tilesNear(part.bounds).low.z;
            plan.forTilesNear(part.bounds, [&](std::size_t tile) {
                const Bounds box = plan.boundsNear(tile);
                needed[tile] += double(part.points) * shareIn(part.bounds, box);
                // nobody knows at which height of its box a part's points lie
                if (plan.placeOf(tile).z == lowest)
                    columnsNeeded[columnOf(tile)] += double(part.points) * shareIn(part.bounds, box, 2);
            });
        }
    }
};

/// Bytes of the attributes of voxels and of vertices.
struct ValueBytes {
    std::uint64_t numbers = 0, classes = 0, perPoint = 0;

    explicit ValueBytes(const SurveyAttributes& attributes) : perPoint(attributes.bytesPerPoint()) {
        for (const SurveyAttribute& attribute : attributes.list)
            ++(attribute.isClasses ? classes : numbers);
    }
    bool any() const { return numbers + classes > 0; }
    std::uint64_t each() const { return (numbers + classes) * sizeof(float); } ///< of a voxel or a vertex
};

/// Bytes in use at once while a tile is computed and written on the host.
/// @param needed, own points @param cells of its window
double bytesOfTile(double needed, double own, double cells, const SurfacePerPoint& surface,
                   const ValueBytes& values, bool keepsVoxels) {
    constexpr double grid = sizeof(std::uint64_t) + sizeof(std::uint32_t) + 3 * sizeof(float);
    constexpr double sums = 4 * sizeof(std::uint64_t);
    // values, key and mask of cells; while it is extracted also five masks of the nodes of each brick (three
    // of them edges), its neighbours, counts and offsets
    constexpr double field = kBrickNodes * sizeof(float) + (kBrickEdge + 1) * sizeof(std::uint64_t);
    constexpr double extraction = 6 * kBrickEdge * sizeof(std::uint64_t) + 27 * sizeof(std::uint32_t) + 128;
    const double voxels = needed * surface.voxels, bricks = needed * surface.bricks;
    const double perVertex = 2 * sizeof(Vec3f) + double(values.each());
    const double mesh = surface.vertices * perVertex + surface.triangles * 3 * sizeof(std::uint32_t);
    const double points = needed * (sizeof(Vec3f) + double(values.perPoint));
    const double voxelOf = values.any() ? needed * sizeof(std::uint32_t) : 0;
    // 1. cells are found, by a bitmap or by sorting (find_voxels_*.cpp), and points are averaged
    const double search = cells / 32 <= needed ? cells / 4 : needed * 20;
    const double averaging = points + voxelOf + search + voxels * (grid + sums);
    // 2. attributes are averaged: sums of numbers, and points sorted by their voxels for classes
    const double voxelValues = voxelOf + voxels * (grid + double(values.each()));
    const double sorting =
        values.classes > 0 ? needed * (double(values.classes) + 4) * sizeof(std::uint32_t) : voxels * 8;
    // 3. the field is extracted, 4. the part of the tile is cut out, and written
    const double extracting = points + voxelValues + bricks * (field + extraction) + needed * mesh;
    const double ownGrid = keepsVoxels ? own * surface.voxels * (grid + double(values.each())) : 0;
    const double cutting = points + (needed + own) * mesh;
    return ownGrid +
           std::max({averaging, points + voxelValues + (values.any() ? sorting : 0.0), extracting, cutting});
}

/// The most bytes of points that wait in a process.
double bytesThatWait(const std::vector<SurveyPart>& parts, const TilePlan& plan, const PointsOfTiles& points,
                     std::uint64_t bytesPerPoint, int ranks) {
    const auto bytesOf = [&](const IndexBox& box) {
        double own = 0, needed = 0;
        for (int z = box.low.z; z < box.high.z; ++z)
            for (int y = box.low.y; y < box.high.y; ++y)
                for (int x = box.low.x; x < box.high.x; ++x) {
                    own += points.own[plan.indexOf({x, y, z})];
                    needed += points.needed[plan.indexOf({x, y, z})];
                }
        return double(bytesPerPoint) * (kWaitingFactor * own + kCopiesFactor * std::max(0.0, needed - own));
    };
    double most = 0;
    for (const IndexBox& group :
         ranks > 1 ? tileGroups(plan, parts, ranks) : std::vector<IndexBox>{{Vec3i{}, plan.tiles()}})
        most = std::max(most, bytesOf(group));
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
    std::uint64_t largestPart = 0;
    for (const SurveyPart& part : parts)
        largestPart = std::max(largestPart, part.points);
    memory.reading = std::uint64_t(
        kReadingFactor * double(largestPart * bytesPerPoint +
                                std::min<std::uint64_t>(largestPart, kSurveyPiecePoints) * sizeof(Vec3d)));
    const PointsOfTiles points(parts, plan);
    memory.pointsOfLargest = std::uint64_t(std::ranges::max(points.columnsOwn));
    memory.waiting = std::min(mostWaiting(options),
                              std::uint64_t(bytesThatWait(parts, plan, points, bytesPerPoint, params.ranks)));
    const auto largest =
        std::size_t(std::ranges::max_element(points.columnsNeeded) - points.columnsNeeded.begin());
    const IndexBox near = plan.cellsNear(largest); // the lowest tile of that column
    const Vec3d cells = (near.high - near.low).as<double>();
    const double bytes = bytesOfTile(points.columnsNeeded[largest], points.columnsOwn[largest],
                                     cells.x * cells.y * cells.z, params.surface, values, params.keepsVoxels);
    std::uint64_t threads = 0;
    for (const ComputeWorker& worker : options.workers)
        threads += std::uint64_t(threadsOf(worker));
    memory.computing = std::uint64_t((plan.size() > 1 ? kTilesFactor : kFirstTileFactor) * bytes) *
                       std::min<std::uint64_t>(threads, plan.size());
    return memory;
}

} // namespace scanloupe
