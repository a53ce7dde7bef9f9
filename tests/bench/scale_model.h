#pragma once
// A model of surveys in tiles on many hosts, by rates that runs have measured.
#include "engine/tiles/survey_source.h"
#include "engine/tiles/tile_plan.h"

#include <string>

namespace scanloupe::bench {

/// What a run has taken, a point of the survey.
struct ScaleRates {
    double read = 0;         ///< seconds of a host's reader, with sorting into tiles
    double compute = 0;      ///< seconds of a worker
    double write = 0;        ///< seconds of a worker
    double bytesRead = 0;    ///< of files
    double bytesWritten = 0; ///< of meshes
};

struct ScaleCluster {
    int hosts = 1;          ///< ranks of MPI
    int workersPerHost = 1; ///< devices, or the host itself
    double storage = 0;     ///< bytes a second of the file system that they share; 0: no limit
};

struct ScalePrediction {
    double wall = 0; ///< seconds
    double readTimes =
        1; ///< how often a point is read: files at the borders of groups are read for each of them
    double readShare = 0;   ///< of the time that readers read, of all hosts
    double workShare = 0;   ///< of the time that workers work, of all workers
    double storageTime = 0; ///< seconds that the storage needs for all bytes
    std::string binds;      ///< what takes most of the time
};

/// Lets hosts take groups of tiles one after the other, as RankedRun does: of each its parts are read in
/// order, a tile is computed and written by the worker that is free first as soon as its points are there,
/// and the next group begins when the last tile is written. Memory is taken to be large enough for the points
/// that wait.
ScalePrediction predictScale(const SurveySource& source, const TilePlan& plan, const ScaleRates& rates,
                             const ScaleCluster& cluster);

} // namespace scanloupe::bench
