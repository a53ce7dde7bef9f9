#pragma once
// Declares the timings and counts of the stages of a run.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace scanloupe {

/// Times, memory and counts of one stage of a run.
struct StageTiming {
    std::string stage;   ///< name of a TimingRow, e.g. voxelize
    std::string backend; ///< "cpu" or "cuda"
    bool reused = false; ///< the cached result was reused; the times are 0
    double wallMs = 0, deviceMs = 0;
    std::uint64_t bytes = 0;                                   ///< memory of its result
    std::vector<std::pair<std::string, std::uint64_t>> counts; ///< e.g. voxels, points_in_range
    std::vector<std::pair<std::string, double>> steps;         ///< wall ms of its parts, e.g. classify
    std::string method = {}; ///< the algorithm used, if there are several, e.g. bitmap-rank
    std::string why = {};    ///< the reason for method or backend, a phrase
};

/// The timings of all stages of a run.
struct RunTimings {
    std::vector<StageTiming> stages;
    /// Without reading, and without refinement of the picture and quality (with its downloads), which no
    /// result waits for.
    double totalMs = 0;

    const StageTiming* find(const std::string& stage) const; ///< null if it did not run
    /// The count `name` of the last stage that has it; 0 if none has.
    std::uint64_t count(const std::string& name) const;
};

/// Adds a copy of results from the device to the host to the stage `download`.
void noteDownload(RunTimings& timings, double wallMs, std::uint64_t bytes);
/// Wall time of the stage `download`; 0 without it.
double downloadMs(const RunTimings& timings);

/// {"total_ms": ..., "stages": {"voxelize": {"wall_ms": ..., ...}, ...}, "voxels": ..., "triangles": ...}:
/// the stages by their names, in their order; the counts of all stages are repeated at the top.
std::string toJson(const RunTimings& timings, int indent = 2);
/// A header line, then a line for each stage: stage,backend,reused,wall_ms,device_ms,bytes.
std::string toCsv(const RunTimings& timings);

} // namespace scanloupe
