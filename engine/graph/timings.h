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
    bool reused = false; ///< whether a cached result was reused; the times are then 0
    double wallMs = 0, deviceMs = 0;
    std::uint64_t bytes = 0;                                   ///< memory of the result
    std::vector<std::pair<std::string, std::uint64_t>> counts; ///< e.g. voxels, points_in_range
    std::vector<std::pair<std::string, double>> steps;         ///< wall times of its parts, ms, e.g. classify
    std::string method = {}; ///< the algorithm used, if there are several, e.g. bitmap-rank
    std::string why = {};    ///< reason for the method or backend, as a phrase
};

/// The timings of all stages of a run.
struct RunTimings {
    std::vector<StageTiming> stages;
    /// Total time, ms, without reading, and without refinement of the picture and quality (including their
    /// downloads), which no result waits for.
    double totalMs = 0;

    const StageTiming* find(const std::string& stage) const; ///< null if the stage did not run
    /// Returns the count `name` of the last stage that has it; 0 if none has.
    std::uint64_t count(const std::string& name) const;
};

/// Adds a copy from the device to the host to the row `download`.
void noteDownload(RunTimings& timings, double wallMs, std::uint64_t bytes);
/// Returns the wall time of the row `download`, ms; 0 if there is none.
double downloadMs(const RunTimings& timings);

/// Returns {"total_ms": ..., "stages": {"voxelize": {"wall_ms": ..., ...}, ...}, "voxels": ..., "triangles":
/// ...}, with stages by name in their order. The counts of all stages are repeated at the top level.
std::string toJson(const RunTimings& timings, int indent = 2);
/// Returns CSV with a header and a line per stage: stage,backend,reused,wall_ms,device_ms,bytes.
std::string toCsv(const RunTimings& timings);

} // namespace scanloupe
