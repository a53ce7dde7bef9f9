#pragma once
// Declares the memory of jobs in tiles before they run: from a sample of the survey, whose surface is
// computed.
#include "engine/tiles/tile_run.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Mean sizes of a surface per point.
struct SurfacePerPoint {
    double voxels = 0, bricks = 0; ///< including the field's bricks around the surface
    double vertices = 0, triangles = 0;
    double surfaceBricks = 0; ///< bricks that the surface passes through
};

/// A sample of the surface of a survey.
struct SurfaceSample {
    SurfacePerPoint perPoint;
    std::uint64_t points = 0; ///< points that its tiles held at once, counted for every tile that needs them
    std::uint64_t pointsOfLargest = 0; ///< points of the largest tile
};

/// Reads the part with the most points, and computes some of its surface: small tiles, chosen at random, with
/// some hundred thousand points. If that fails, assumes a voxel for each point. @throws HostMemoryShort;
/// Cancelled
SurfaceSample sampleTiles(const SurveySource& source, const TilePlan& plan, const std::stop_token& stop);

/// Points of each tile, where those of each part are spread evenly over its box, without those of its
/// neighbours that it needs; [tiles].
std::vector<double> expectedPoints(const std::vector<SurveyPart>& parts, const TilePlan& plan);

/// Inputs of the memory forecast in addition to the plan.
struct TileMemoryParams {
    SurfaceSample sample;
    bool keepsVoxels = false; ///< TileStore::keepsVoxels()
    int ranks = 0;            ///< MPI processes that share the job; 0: it runs without MPI
};

/// Maximum host memory that a process of a job takes until its tiles are written, in bytes.
struct TileMemory {
    std::uint64_t program = 0;  ///< the program without points
    std::uint64_t sampling = 0; ///< part and tiles of sampleTiles(), before the job
    std::uint64_t waiting = 0, reading = 0, computing = 0; ///< waiting points, one part, tiles in work
    std::uint64_t summing = 0;                             ///< the checksum of the surface, see SurfaceDigest
    std::uint64_t pointsOfLargest = 0;                     ///< points of the largest tile
    std::uint64_t all() const {
        return program + std::max(sampling, waiting + reading + computing + summing);
    }
};
/// Forecasts the memory of each process of a job. Assumes that the heap is trimmed after sampleTiles(), see
/// trimHeap().
TileMemory forecastMemory(const std::vector<SurveyPart>& parts, const TilePlan& plan,
                          const TileRunOptions& options, const TileMemoryParams& params);

} // namespace scanloupe
