#pragma once
// Declares reports of a run: a summary as text, and timings as JSON or CSV.
#include "engine/cli/output/session.h"
#include "engine/cli/run_outputs.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/graph/timings.h"
#include "engine/recipe/stored_recipe.h"

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

/// The result of running one scan.
struct FrameReport {
    std::string scan;  ///< path of the scan
    std::string error; ///< why the run failed, without timings; empty on success
    RunTimings timings;
    StoredRecipe resolved;
    std::vector<std::string> notes;
    std::shared_ptr<const MeshQuality> quality; ///< null if the quality was not measured
    LengthUnit unit = LengthUnit::metre;        ///< unit of the scan's coordinates
    std::string nextStep = {};                  ///< how to correct `error`
    std::vector<WrittenFile> outputs = {};
};

/// Prints a summary: the notes on the unit and on automatic values, a table of the stages with their counts,
/// and the mesh quality if it was measured.
void printSummary(const Snapshot& snapshot, const CoordinateReference& reference,
                  const BackendChoice& backend, Session& session);
/// Prints minimum, median and maximum wall time of every stage over the successful frames.
void printStatistics(const std::vector<FrameReport>& frames, Session& session);

/// Returns the runs as JSON. With a `folder`, the document has a list of frames and the statistics of each
/// stage (schema scanloupe/frames); otherwise it has the stages and counts of the single run at the top level
/// (schema scanloupe/run).
std::string runsJson(const std::vector<FrameReport>& frames, const std::optional<std::string>& folder,
                     const BackendChoice& backend);
/// Writes the timings as JSON, see runsJson(), or as CSV, depending on the file's ending. @throws
/// EngineError; Cancelled
void writeTimings(const OutputTarget& target, const std::vector<FrameReport>& frames,
                  const std::optional<std::string>& folder, const BackendChoice& backend,
                  const std::stop_token& stop);

} // namespace scanloupe::cli
