#pragma once
// Declares the inputs of commands that accept a project.
#include "engine/cli/output/session.h"
#include "engine/io/scan_input.h"
#include "engine/project/project.h"

namespace scanloupe {
struct ReadOptions;
}

namespace scanloupe::cli {

/// Reads a project whose scans are all there. The files that it refers to become inputs. @throws EngineError,
/// which names those that are missing
Project openProject(const std::filesystem::path& path, Session& session);

/// The one scan of a project, read or generated, or the survey that it is a folder of. @throws EngineError;
/// KernelError, of generating; Cancelled.
ScanInput readProjectScan(const ProjectScan& scan, const ReadOptions& options, Session& session);

/// The visible scans of a project as one cloud. @throws EngineError; Cancelled.
/// @param path of the project
/// @param options their progress function is called in addition to that of the console
ScanInput readProjectTogether(const Project& project, const std::filesystem::path& path, ReadOptions options,
                              Session& session);

} // namespace scanloupe::cli
