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

/// Reads a scan or a volume. Shows progress and warnings on the console, and records damage in the session.
/// @throws EngineError; Cancelled.
ScanInput readInput(const std::filesystem::path& path, ReadOptions options, Session& session);

/// Returns the error for a folder without scans. Its text names subfolders that contain scans.
EngineError noScansIn(const std::filesystem::path& folder);

/// Lists the scans of a folder and registers them as inputs. Prints the names of ignored files on the
/// console.
/// @throws EngineError if there is no scan or the folder can't be listed; Cancelled.
ScanList scansIn(const std::filesystem::path& folder, Session& session);

/// Same as readInput(), for commands that need points. @throws EngineError, also if `path` is a raw volume;
/// Cancelled.
std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, const ReadOptions& options,
                                             Session& session);

/// Same as readPoints(), without progress and warnings. Thread-safe.
std::shared_ptr<const PointCloud> pointsIn(const std::filesystem::path& path, const ReadOptions& options,
                                           const Session& session);

/// Prints the warnings of merged scans. Warnings about damage are omitted, since the session reports them.
void warnOfMerging(const PointCloud& merged, Session& session);

/// Warns of a damaged reference as Session::warn() does; null: no effect. Other warnings of the reference are
/// already in the notes of the run.
void warnOfReference(const Reference* reference, Session& session);

/// Reads the scans of a folder and merges them by the poses in a file. @throws EngineError; Cancelled.
ScanInput readPosedScans(const std::filesystem::path& folder, const std::string& posesFile,
                         ReadOptions options, Session& session);

} // namespace scanloupe::cli
