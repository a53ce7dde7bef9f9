#pragma once
// What a command reads, with its progress and warnings on the console.
#include "engine/cli/session.h"
#include "engine/io/scan_input.h"
#include "engine/io/scan_list.h"

namespace scanloupe::cli {

/// Reads a scan or a volume and shows its progress. @throws EngineError; Cancelled.
ScanInput readInput(const std::filesystem::path& path, ReadOptions options, Session& session);

/// The scans of a folder; what is none of them is told. @throws EngineError when there is none, or the folder
/// can't be listed; Cancelled.
ScanList scansIn(const std::filesystem::path& folder, Session& session);

/// As readInput, for commands that need points. @throws EngineError when `path` is a raw volume, too;
/// Cancelled.
std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, const ReadOptions& options,
                                             Session& session);

} // namespace scanloupe::cli
