#pragma once
// Declares the inputs of commands that accept a project.
#include "engine/cli/output/session.h"
#include "engine/io/scan_input.h"
#include "engine/project/project.h"

namespace scanloupe {
struct ReadOptions;
}

namespace scanloupe::cli {

/// Reads a project and registers the files that it refers to as inputs.
/// @throws EngineError naming the scans that are missing
Project openProject(const std::filesystem::path& path, Session& session);

/// Reads the scan of a project. A synthetic scan is generated; if the scan is a folder, the survey in it is
/// read.
/// @throws EngineError; KernelError from generating; Cancelled.
ScanInput readProjectScan(const ProjectScan& scan, const ReadOptions& options, Session& session);

/// Reads the visible scans of a project and merges them into one cloud. @throws EngineError; Cancelled.
/// @param path path of the project
/// @param options their progress function is called in addition to the console's
ScanInput readProjectTogether(const Project& project, const std::filesystem::path& path, ReadOptions options,
                              Session& session);

} // namespace scanloupe::cli
