#pragma once
// Declares the job that turns a survey into the tiles of its surface.
#include "engine/compute/compute_worker.h"
#include "engine/io/common/progress.h"
#include "engine/tiles/survey/survey_files.h"
#include "engine/tiles/tile_points.h"
#include "engine/tiles/tile_store.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

struct TileRunOptions {
    std::uint64_t memory = 0; ///< limit for waiting points in bytes; 0: a third of the free memory
    std::vector<ComputeWorker> workers{ComputeWorker{}};
    std::vector<char> wanted = {}; ///< [tiles] others are skipped; empty: all
    ProgressFunction progress = {};
    /// Called by a worker before it computes a tile; an exception of the kernels counts as a failure of its
    /// device.
    std::function<void(const ComputeWorker& worker, std::size_t tile)> beforeTile = {};
};

/// Report of a worker.
struct WorkerReport {
    std::string name;
    std::uint64_t tiles = 0;
    double waitMs = 0, computeMs = 0, writeMs = 0; ///< total over all its threads
    std::string failure;                           ///< why its device was given up; empty: it was not

    /// Adds the report of the same worker in another process.
    void add(const WorkerReport& other);
};

/// Parts removed by the clean-up of the whole surface, see cleanTiles().
struct CleanUpReport {
    std::uint64_t minTriangles = 0; ///< minimum size of a connected part that is kept
    std::uint64_t parts = 0;        ///< number of parts before the clean-up
    std::uint64_t removedParts = 0, removedTriangles = 0;
};

struct TileRunReport {
    std::vector<TileRecord> tiles;    ///< tiles with points, ascending, including those of earlier runs
    std::uint64_t tilesBefore = 0;    ///< number of these that earlier runs finished
    SurveyPointCounts points;         ///< counts of the points that this run has read
    std::vector<RefusedFile> refused; ///< parts that could not be read
    std::vector<RefusedFile> damaged; ///< parts of which only the undamaged points were read
    std::uint64_t bytesRead = 0;      ///< bytes of input files
    std::uint64_t packedBytes = 0;    ///< bytes of points moved to files
    std::uint64_t maxPointBytes = 0;  ///< maximum size of points in memory
    double readMs = 0, waitMs = 0;    ///< time of the reader: file access and sorting; waiting for workers
    double wallMs = 0;
    std::vector<WorkerReport> workers;
    Sha256Digest digest{}; ///< checksum of the whole surface, see surfaceDigest()
    std::optional<CleanUpReport> cleanUp;
};

/// Reads the parts once, in an order that keeps few tiles incomplete at a time, and computes and writes each
/// tile as soon as all of its points are available. The next part is read once the complete tiles in the
/// queue hold no more points than the largest part. Tiles that an earlier run has finished are reused. An
/// unreadable part only costs its points, and a failing device only time: its tile is computed again.
/// @throws EngineError when a disk is full or memory too small; KernelError; Cancelled, after which the next
/// run resumes the job
TileRunReport runTiles(const SurveySource& source, const TilePlan& plan, const TileStore& store,
                       const TileRunOptions& options, const std::stop_token& stop);

/// The order in which parts are read: tile by tile, in rows across the longer horizontal axis of the survey.
/// Only points of parts that extend into the next tile or row then wait: fewer than those of a row of tiles.
std::vector<std::size_t> readingOrder(const std::vector<SurveyPart>& parts, const TilePlan& plan);

/// Bytes of points that may wait.
std::uint64_t maxWaiting(const TileRunOptions& options);

/// Tiles that a worker has in work: while a device computes one, the host gathers points or writes another.
int threadsOf(const ComputeWorker& worker);

} // namespace scanloupe
