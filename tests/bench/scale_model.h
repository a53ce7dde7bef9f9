#pragma once
// Declares a model of surveys in tiles on many hosts, based on measured rates.
#include "engine/survey/source/survey_source.h"
#include "engine/survey/tiles/tile_plan.h"

#include <string>

namespace scanloupe::bench {

/// Costs of a run per point of the survey.
struct ScaleRates {
    double read = 0;         ///< seconds of reading and sorting into tiles, on one host
    double compute = 0;      ///< seconds of computing, on one worker
    double write = 0;        ///< seconds of writing, on one worker
    double bytesRead = 0;    ///< bytes read from scan files
    double bytesWritten = 0; ///< bytes written for meshes
};

struct ScaleCluster {
    int hosts = 1;          ///< number of MPI ranks
    int workersPerHost = 1; ///< devices per host; 1 if the host itself computes
    double storage = 0;     ///< bandwidth of the shared file system, bytes per second; 0: no limit
};

struct ScalePrediction {
    double wall = 0;        ///< seconds from start to end
    double readTimes = 1;   ///< how often a point is read on average: files at the borders of groups are read
                            ///< for each of these groups
    double readShare = 0;   ///< utilization of the readers of all hosts
    double workShare = 0;   ///< utilization of all workers
    double storageTime = 0; ///< seconds that the file system needs for all bytes
    std::string binds;      ///< name of the bottleneck
};

/// Simulates hosts that process groups of tiles one after the other, as RankedRun does. A host reads the
/// parts of a group in order; the first idle worker computes and writes a tile as soon as its points are
/// available; the next group starts when the last tile is written. Assumes that memory suffices for all
/// waiting points.
ScalePrediction predictScale(const SurveySource& source, const TilePlan& plan, const ScaleRates& rates,
                             const ScaleCluster& cluster);

} // namespace scanloupe::bench
