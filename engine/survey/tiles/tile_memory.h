#pragma once
// Declares the memory forecast for tiling jobs, based on the surface of a sample of the survey.
#include "engine/survey/tiles/tile_run.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Mean sizes of a surface relative to its number of points.
struct SurfacePerPoint {
    double voxels = 0, bricks = 0; ///< including all bricks of the field around the surface
    double vertices = 0, triangles = 0;
    double surfaceBricks = 0; ///< bricks that intersect the surface
};

/// Statistics of a sample of a survey's surface.
struct SurfaceSample {
    SurfacePerPoint perPoint;
    std::uint64_t points = 0; ///< sum of the points that the sampled tiles required; a point required by two
                              ///< tiles counts twice
    std::uint64_t pointsOfLargest = 0; ///< number of points of the largest sampled tile
};

/// Computes the surface of some small tiles, chosen at random with some hundred thousand points in total, in
/// the part with the most points. If this fails, assumes one voxel per point. @throws HostMemoryShort;
/// Cancelled
SurfaceSample sampleTiles(const SurveySource& source, const TilePlan& plan, const std::stop_token& stop);

/// Returns the expected number of points inside each tile, [tiles], without the margin around the tile.
/// Assumes that the points of a part are spread evenly over its box.
std::vector<double> expectedPoints(const std::vector<SurveyPart>& parts, const TilePlan& plan);

/// Inputs of the memory forecast in addition to the plan.
struct TileMemoryParams {
    SurfaceSample sample;
    bool keepsVoxels = false; ///< TileStore::keepsVoxels()
    int ranks = 0;            ///< number of MPI processes that share the job; 0: no MPI
};

/// Maximum host memory of a process until all tiles are written, in bytes.
struct TileMemory {
    std::uint64_t program = 0;                             ///< program without any points
    std::uint64_t sampling = 0;                            ///< memory of sampleTiles(), before the job starts
    std::uint64_t waiting = 0, reading = 0, computing = 0; ///< points waiting for their tiles; the part being
                                                           ///< read; tiles being computed
    std::uint64_t summing = 0;                             ///< checksum of the surface, see SurfaceDigest
    std::uint64_t pointsOfLargest = 0;                     ///< number of points of the largest tile
    std::uint64_t all() const {
        return program + std::max(sampling, waiting + reading + computing + summing);
    }
};
/// Forecasts the memory of each process of a job. Assumes that the heap is trimmed after sampleTiles(), see
/// trimHeap().
TileMemory forecastMemory(const std::vector<SurveyPart>& parts, const TilePlan& plan,
                          const TileRunOptions& options, const TileMemoryParams& params);

} // namespace scanloupe
