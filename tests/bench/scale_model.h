#pragma once
// Declares a model of surveys in tiles on many hosts, based on measured rates.
#include "engine/tiles/survey/survey_source.h"
#include "engine/tiles/tile_plan.h"

#include <string>

namespace scanloupe::bench {

/// Costs of a run per point of the survey.
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
    double wall = 0;        ///< seconds
    double readTimes = 1;   ///< mean number of times that a point is read: files at the borders of groups are
                            ///< read for each group
    double readShare = 0;   ///< utilization of the readers of all hosts
    double workShare = 0;   ///< utilization of all workers
    double storageTime = 0; ///< seconds of the storage for all bytes
    std::string binds;      ///< the bottleneck
};

/// Simulates hosts that process groups of tiles one after the other, as RankedRun does: the parts of a group
/// are read in order, a tile is computed and written by the first idle worker as soon as its points are
/// available, and the next group starts when the last tile is written. Assumes enough memory for the waiting
/// points.
ScalePrediction predictScale(const SurveySource& source, const TilePlan& plan, const ScaleRates& rates,
                             const ScaleCluster& cluster);

} // namespace scanloupe::bench
