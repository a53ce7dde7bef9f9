// Opens projects for commands.
#include "engine/cli/project_input.h"

#include "engine/align/read_together.h"
#include "engine/cli/text.h"
#include "kernels/core/cost.h"

#include <fmt/format.h>

namespace scanloupe::cli {

Project openProject(const std::filesystem::path& path) {
    Project project = readProject(path);
    const auto missing = missingScans(project);
    if (!missing.empty())
        throw EngineError(fmt::format("{} of the project can't be found, such as '{}'.",
                                      counted(missing.size(), "scan"), missing.front().string()),
                          "Put them beside the project, or open it in the window, which looks for them in a "
                          "folder that you name.");
    return project;
}

ScanInput readProjectTogether(const Project& project, Session& session) {
    const WallTimer timer;
    std::vector<std::filesystem::path> paths;
    std::vector<std::optional<RigidTransform>> poses;
    for (const ProjectScan& scan : project.scans) {
        paths.push_back(scan.path);
        const auto pose = project.isAligned ? scan.pose : std::optional(RigidTransform{});
        poses.push_back(scan.isVisible ? pose : std::nullopt);
    }
    ScanCache cache(paths, 0); // each is read once
    PointCloud merged =
        readTogether(cache, poses, session.console.step("putting the scans together"), session.stop);
    for (const LeftOut& file : cache.problems())
        session.console.line("warning: " + file.why);
    for (const std::string& warning : merged.warnings)
        session.console.line("warning: " + warning);
    ScanInput input;
    input.cloud = std::make_shared<const PointCloud>(std::move(merged));
    input.readMs = timer.elapsedMs();
    return input;
}

} // namespace scanloupe::cli
