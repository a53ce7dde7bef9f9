#pragma once
// Declares the inputs of commands that take a project.
#include "engine/cli/session.h"
#include "engine/io/scan_input.h"
#include "engine/project/project.h"

namespace scanloupe::cli {

/// Reads a project whose scans are all there. @throws EngineError, which names those that are missing
Project openProject(const std::filesystem::path& path);

/// The visible scans of a project as one cloud. @throws EngineError; Cancelled.
ScanInput readProjectTogether(const Project& project, Session& session);

} // namespace scanloupe::cli
