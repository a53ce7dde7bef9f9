#pragma once
// What a run tells: a summary for people, timings for programs.
#include "engine/cli/session.h"
#include "engine/pipeline/pipeline.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe::cli {

/// One scan's run.
struct FrameReport {
    std::string scan;  ///< path
    std::string error; ///< why there are no timings; empty when all went well
    RunTimings timings;
    Recipe resolved;
    std::vector<std::string> notes;
    std::shared_ptr<const MeshQuality> quality; ///< null when it wasn't measured
};

/// What was chosen and why, the counts, a table of the stages, and the figures of the mesh where they were
/// measured.
void printSummary(const Snapshot& snapshot, const BackendChoice& backend, Session& session);
/// Least, median and greatest wall time of every stage over the frames that went well.
void printStatistics(const std::vector<FrameReport>& frames, Session& session);

/// Writes the timings as JSON or CSV, by the ending. One run: its stages and counts at the top; several: a
/// list of frames, and the statistics of each stage. @throws EngineError; Cancelled
void writeTimings(const std::string& path, const std::vector<FrameReport>& frames,
                  const std::optional<std::string>& folder, const BackendChoice& backend,
                  const std::stop_token& stop);

} // namespace scanloupe::cli
