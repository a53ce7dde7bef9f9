#pragma once
// What a command reads: a cloud of points or a raw volume.
#include "engine/cli/session.h"
#include "engine/io/scan_reader.h"

#include <filesystem>
#include <memory>

namespace scanloupe::cli {

/// One of the two is there.
struct Input {
    std::shared_ptr<const PointCloud> cloud;
    std::shared_ptr<const Volume> volume;
    double readMs = 0;
};

/// Reads a scan or a volume and shows its progress. `columns`: see ReadOptions. @throws EngineError;
/// Cancelled.
Input readInput(const std::filesystem::path& path, int columns, Session& session);

/// As readInput, for commands that need points. @throws EngineError when `path` is a raw volume, too;
/// Cancelled.
std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, int columns,
                                             Session& session);

} // namespace scanloupe::cli
