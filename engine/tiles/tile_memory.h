#pragma once
// Declares the memory of jobs in tiles before they run: from a sample of the survey, whose surface is
// computed.
#include "engine/tiles/tile_run.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// What a surface has for each of the points that it is made of.
struct SurfacePerPoint {
    double voxels = 0, bricks = 0; ///< with the bricks around the surface that the field has
    double vertices = 0, triangles = 0;
};

/// Reads the part with the most points, and computes some of its surface: small tiles, chosen at random, with
/// some hundred thousand points. Where that fails, it assumes a voxel for each point.
/// @throws HostMemoryShort; Cancelled
SurfacePerPoint sampleTiles(const SurveySource& source, const TilePlan& plan, const std::stop_token& stop);

/// Points of each tile, where those of each part are spread evenly over its box, without those of its
/// neighbours that it needs; [tiles].
std::vector<double> expectedPoints(const std::vector<SurveyPart>& parts, const TilePlan& plan);

/// What the memory of a job depends on beside its plan.
struct TileMemoryParams {
    SurfacePerPoint surface;
    bool keepsVoxels = false; ///< TileStore::keepsVoxels()
    int ranks = 0;            ///< processes that share the job by MPI; 0: it runs without
};

/// Host memory that a process of a job takes at most, until its tiles are written.
struct TileMemory {
    std::uint64_t program = 0;                             ///< bytes: that it takes without points
    std::uint64_t waiting = 0, reading = 0, computing = 0; ///< points that wait, a part, tiles in work
    std::uint64_t pointsOfLargest = 0;                     ///< tile
    std::uint64_t all() const { return program + waiting + reading + computing; }
};
TileMemory forecastMemory(const std::vector<SurveyPart>& parts, const TilePlan& plan,
                          const TileRunOptions& options, const TileMemoryParams& params);

} // namespace scanloupe
