#pragma once
// Declares the job that turns a survey into the tiles of its surface.
#include "engine/compute/compute_worker.h"
#include "engine/io/common/progress.h"
#include "engine/tiles/survey_files.h"
#include "engine/tiles/tile_points.h"
#include "engine/tiles/tile_store.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct TileRunOptions {
    std::uint64_t memory = 0; ///< bytes of points that wait; 0: a third of what is free
    std::vector<ComputeWorker> workers{ComputeWorker{}};
    std::vector<char> wanted = {}; ///< [tiles] others are left alone; empty: all
    ProgressFunction progress = {};
    /// Called by a worker before it computes a tile; an exception of the kernels counts as its device's.
    std::function<void(const ComputeWorker& worker, std::size_t tile)> beforeTile = {};
};

/// What a worker did.
struct WorkerReport {
    std::string name;
    std::uint64_t tiles = 0;
    double waitMs = 0, computeMs = 0, writeMs = 0; ///< of all its threads
    std::string failure;                           ///< why its device was given up; empty

    /// Adds what the same worker did elsewhere.
    void add(const WorkerReport& other);
};

/// What a clean-up of the whole surface has removed, see cleanTiles().
struct CleanUpReport {
    std::uint64_t minTriangles = 0; ///< of a connected part that is kept
    std::uint64_t parts = 0;        ///< before
    std::uint64_t removedParts = 0, removedTriangles = 0;
};

struct TileRunReport {
    std::vector<TileRecord> tiles;    ///< those with points, ascending, of earlier runs, too
    std::uint64_t tilesBefore = 0;    ///< of them, finished by earlier runs
    SurveyPointCounts points;         ///< that this run has read
    std::vector<RefusedFile> refused; ///< parts that could not be read
    std::vector<RefusedFile> damaged; ///< parts that were read as far as they are whole
    std::uint64_t bytesRead = 0;      ///< of files
    std::uint64_t packedBytes = 0;    ///< of points that memory didn't hold
    std::uint64_t mostPointBytes = 0; ///< of points in memory at once
    double readMs = 0, waitMs = 0;    ///< of the reader: for files and sorting, for the workers
    double wallMs = 0;
    std::vector<WorkerReport> workers;
    Sha256Digest digest{}; ///< of the whole surface, see surfaceDigest()
    std::optional<CleanUpReport> cleanUp;
};

/// Reads the parts once, in an order in which few tiles wait at a time, and computes and writes each tile as
/// soon as all of its points are there. Tiles that an earlier run has finished are taken as they are. A part
/// that can't be read costs its points; a device that fails costs its time: its tile is computed again.
/// @throws EngineError when a disk is full or memory too small; KernelError; Cancelled, after which the next
/// run goes on
TileRunReport runTiles(const SurveySource& source, const TilePlan& plan, const TileStore& store,
                       const TileRunOptions& options, const std::stop_token& stop);

/// The order in which parts are read: tile by tile, in rows across the longer horizontal axis of the survey.
/// All that waits are then points of parts that reach into the next tile or row: fewer than a row of tiles
/// holds.
std::vector<std::size_t> readingOrder(const std::vector<SurveyPart>& parts, const TilePlan& plan);

/// Bytes of points that may wait.
std::uint64_t mostWaiting(const TileRunOptions& options);

/// Tiles that a worker has in work: while a device computes one, the host gathers points or writes another.
int threadsOf(const ComputeWorker& worker);

} // namespace scanloupe
