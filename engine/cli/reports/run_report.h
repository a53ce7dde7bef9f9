#pragma once
// Reports a run: a summary as text, timings as JSON or CSV.
#include "engine/cli/output/session.h"
#include "engine/cli/run_outputs.h"
#include "engine/graph/timings.h"
#include "engine/recipe/stored_recipe.h"
#include "engine/reference/coordinate_reference.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {
struct BackendChoice;
struct MeshQuality;
struct Snapshot;
} // namespace scanloupe

namespace scanloupe::cli {

/// The run of one scan.
struct FrameReport {
    std::string scan;  ///< path
    std::string error; ///< why it failed, and has no timings; empty on success
    RunTimings timings;
    StoredRecipe resolved;
    std::vector<std::string> notes;
    std::shared_ptr<const MeshQuality> quality; ///< null when it wasn't measured
    LengthUnit unit = LengthUnit::metre;        ///< of its coordinates
    std::string nextStep = {};                  ///< of an error
    std::vector<WrittenFile> outputs = {};
};

/// Prints the notes on the unit and on chosen parameters, a table of the stages with their counts, and the
/// mesh quality if it was measured.
void printSummary(const Snapshot& snapshot, const CoordinateReference& reference,
                  const BackendChoice& backend, Session& session);
/// Prints minimum, median and maximum wall time of every stage over the successful frames.
void printStatistics(const std::vector<FrameReport>& frames, Session& session);

/// The runs as JSON: with a `folder` a list of frames and the statistics of each stage (scanloupe/frames),
/// else the stages and counts of the single run at the top level (scanloupe/run).
std::string runsJson(const std::vector<FrameReport>& frames, const std::optional<std::string>& folder,
                     const BackendChoice& backend);
/// Writes the timings as JSON, see runsJson(), or as CSV, by the ending. @throws EngineError; Cancelled
void writeTimings(const OutputTarget& target, const std::vector<FrameReport>& frames,
                  const std::optional<std::string>& folder, const BackendChoice& backend,
                  const std::stop_token& stop);

} // namespace scanloupe::cli
