#pragma once
// Declares the inputs of commands that take a project.
#include "engine/cli/session.h"
#include "engine/io/scan_input.h"
#include "engine/project/project.h"

namespace scanloupe::cli {

/// Reads a project whose scans are all there. @throws EngineError, which names those that are missing
Project openProject(const std::filesystem::path& path);

/// The visible scans of a project as one cloud. @throws EngineError; Cancelled.
/// @param path of the project; @param options their progress is called beside that of the console
ScanInput readProjectTogether(const Project& project, const std::filesystem::path& path, ReadOptions options,
                              Session& session);

} // namespace scanloupe::cli
