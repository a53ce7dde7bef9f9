#pragma once
// Declares the job that computes the surface of a survey in tiles.
#include "engine/compute/compute_worker.h"
#include "engine/io/common/progress.h"
#include "engine/survey/source/survey_files.h"
#include "engine/survey/tiles/tile_points.h"
#include "engine/survey/tiles/tile_store.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct TileRunOptions {
    std::uint64_t memory = 0; ///< maximum memory of waiting points, bytes; 0: a third of the free memory
    std::vector<ComputeWorker> workers{ComputeWorker{}};
    std::vector<char> wanted = {}; ///< [tiles] whether to compute the tile; empty: all
    ProgressFunction progress = {};
    /// Called by a worker before it computes a tile. If it throws KernelError, the worker's device counts as
    /// failed.
    std::function<void(const ComputeWorker& worker, std::size_t tile)> beforeTile = {};
};

/// Report about a worker.
struct WorkerReport {
    std::string name;
    std::uint64_t tiles = 0;
    double waitMs = 0, computeMs = 0, writeMs = 0; ///< sums over all threads of the worker
    std::string failure;                           ///< reason why its device failed; empty if it did not

    /// Adds the report about the same worker for another group of tiles.
    void add(const WorkerReport& other);
};

/// Result of removing small parts of the surface, see cleanTiles().
struct CleanUpReport {
    std::uint64_t minTriangles = 0; ///< minimum number of triangles of a part that is kept
    std::uint64_t parts = 0;        ///< number of parts before the clean-up
    std::uint64_t removedParts = 0, removedTriangles = 0;
};

struct TileRunReport {
    std::vector<TileRecord> tiles;    ///< all tiles with points in ascending order, including tiles of
                                      ///< earlier runs
    std::uint64_t tilesBefore = 0;    ///< number of tiles finished by earlier runs
    SurveyPointCounts points;         ///< counts of the points read by this run
    std::vector<RefusedFile> refused; ///< parts that could not be read
    std::vector<RefusedFile> damaged; ///< parts with some damaged points, which were left out
    std::uint64_t bytesRead = 0;      ///< bytes read from input files
    std::uint64_t packedBytes = 0;    ///< bytes of points that were moved to files
    std::uint64_t maxPointBytes = 0;  ///< maximum memory of points, bytes
    double readMs = 0, waitMs = 0;    ///< times of the reader: reading and sorting; waiting for workers
    double wallMs = 0;
    std::vector<WorkerReport> workers;
    Sha256Digest digest{}; ///< checksum of the whole surface, see surfaceDigest()
    std::optional<CleanUpReport> cleanUp;
};

/// Reads each part once, in an order that keeps few tiles incomplete at a time. Each tile is computed and
/// written as soon as all of its points are available. The next part is read when the tiles in the queue have
/// no more points than the largest part. Tiles finished by an earlier run are reused. If a part is
/// unreadable, only its points are missing. If a device fails, its tile is computed again on the CPU.
/// @throws EngineError if a disk is full or memory is too small; KernelError; Cancelled, after which the next
///     run resumes the job
TileRunReport runTiles(const SurveySource& source, const TilePlan& plan, const TileStore& store,
                       const TileRunOptions& options, const std::stop_token& stop);

/// Returns the order in which parts are read: tile by tile, in rows across the longer horizontal axis of the
/// survey. With this order, only points of parts that extend into the next tile or row have to wait. They are
/// fewer than the points of a row of tiles.
std::vector<std::size_t> readingOrder(const std::vector<SurveyPart>& parts, const TilePlan& plan);

/// Returns the maximum memory of waiting points, bytes.
std::uint64_t maxWaiting(const TileRunOptions& options);

/// Returns the number of tiles that a worker processes at a time. With a device it is more than one: while
/// the device computes a tile, the host prepares or writes another one.
int threadsOf(const ComputeWorker& worker);

} // namespace scanloupe
