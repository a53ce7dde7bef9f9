#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

/// What one stage of one run did.
struct StageTiming {
    std::string stage;   ///< read, upload, voxelize, field, extract, clean, distances, download, rasterize,
                         ///< resolve, refine, quality
    std::string backend; ///< "cpu" or "cuda"
    bool reused = false; ///< nothing it depends on has changed: the last result was taken, the times are 0
    double wallMs = 0, deviceMs = 0;
    std::uint64_t bytes = 0;                                   ///< memory of its result
    std::vector<std::pair<std::string, std::uint64_t>> counts; ///< e.g. voxels, points_in_range
    std::vector<std::pair<std::string, double>> steps;         ///< wall ms of its parts, e.g. classify
    std::string method = {}; ///< where there are several ways: which was taken, e.g. bitmap-rank
    std::string why = {};    ///< a phrase
};

/// All of one run.
struct RunTimings {
    std::vector<StageTiming> stages;
    double totalMs = 0; ///< of all but reading, refining the picture, and measuring quality (and
                        ///< what that downloads), which nothing waits for

    const StageTiming* find(const std::string& stage) const; ///< null when it did not take part
    /// A count of the last stage that tells it; 0 when there is none of that name.
    std::uint64_t count(const std::string& name) const;
};

/// Adds to the stage `download`: results copied from the device to the host.
void noteDownload(RunTimings& timings, double wallMs, std::uint64_t bytes);
/// What that stage took; 0 when there is none.
double downloadMs(const RunTimings& timings);

/// {"total_ms": ..., "stages": [{"stage": ..., "wall_ms": ..., ...}], "voxels": ..., "triangles": ...}: the
/// counts of all stages are repeated at the top.
std::string toJson(const RunTimings& timings, int indent = 2);
/// stage,backend,reused,wall_ms,device_ms,bytes: a line a stage, after a header.
std::string toCsv(const RunTimings& timings);

} // namespace scanloupe
