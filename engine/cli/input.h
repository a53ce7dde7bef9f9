#pragma once
// Reads the inputs of commands, with progress and warnings on the console.
#include "engine/cli/output/session.h"
#include "engine/cloud/error.h"
#include "engine/io/scan_input.h"
#include "engine/io/scan_list.h"

namespace scanloupe {
class PointCloud;
struct ReadOptions;
struct Reference;
} // namespace scanloupe

namespace scanloupe::cli {

/// Reads a scan or a volume, and shows progress and warnings. Damage is noted in the session.
/// @throws EngineError; Cancelled.
ScanInput readInput(const std::filesystem::path& path, ReadOptions options, Session& session);

/// The failure of a folder without scans; names subfolders with scans.
EngineError noScansIn(const std::filesystem::path& folder);

/// The scans of a folder, which become inputs; other files are listed on the console. @throws EngineError
/// when there is no scan, or the folder can't be listed; Cancelled.
ScanList scansIn(const std::filesystem::path& folder, Session& session);

/// As readInput, for commands that need points. @throws EngineError also when `path` is a raw volume;
/// Cancelled.
std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, const ReadOptions& options,
                                             Session& session);

/// As readPoints, without progress and warnings; from any thread.
std::shared_ptr<const PointCloud> pointsIn(const std::filesystem::path& path, const ReadOptions& options,
                                           const Session& session);

/// Prints the warnings of scans that were merged, except their damage, which the session reports.
void warnOfMerging(const PointCloud& merged, Session& session);

/// As Session::warn(), for the damage of a reference; null: nothing. Its other warnings are among the notes
/// of a run.
void warnOfReference(const Reference* reference, Session& session);

/// Reads the scans of a folder and merges them by the poses in a file. @throws EngineError; Cancelled.
ScanInput readPosedScans(const std::filesystem::path& folder, const std::string& posesFile,
                         ReadOptions options, Session& session);

} // namespace scanloupe::cli
