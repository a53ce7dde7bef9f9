#pragma once
// What a command reads, with its progress and warnings on the console.
#include "engine/cli/session.h"
#include "engine/io/scan_input.h"

namespace scanloupe::cli {

/// Reads a scan or a volume and shows its progress. `columns`: see ReadOptions. @throws EngineError;
/// Cancelled.
ScanInput readInput(const std::filesystem::path& path, int columns, Session& session);

/// As readInput, for commands that need points. @throws EngineError when `path` is a raw volume, too;
/// Cancelled.
std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, int columns,
                                             Session& session);

} // namespace scanloupe::cli
