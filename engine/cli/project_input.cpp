// Opens projects for commands.
#include "engine/cli/project_input.h"

#include "engine/align/read_together.h"
#include "engine/cli/input.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/synth/synthetic_cloud.h"
#include "engine/survey/survey_scan.h"
#include "kernels/core/cost.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace scanloupe::cli {

Project openProject(const std::filesystem::path& path, Session& session) {
    Project project = readProject(path);
    for (const std::filesystem::path& file : filesOf(project))
        session.files.addInput(file);
    const auto missing = missingScans(project);
    if (!missing.empty())
        throw EngineError(fmt::format("{} of the project can't be found, for example '{}'.",
                                      counted(missing.size(), "scan"), missing.front().string()),
                          "Copy the missing files into the project's folder, or open the project in the "
                          "window and choose the folder to search.");
    return project;
}

ScanInput readProjectScan(const ProjectScan& projectScan, const ReadOptions& options, Session& session) {
    if (projectScan.sample) {
        ScanInput made;
        const WallTimer timer;
        made.cloud = std::make_shared<const PointCloud>(
            syntheticCloud(*projectScan.sample, false, session.console.step("generating"), session.stop));
        made.readMs = timer.elapsedMs();
        return made;
    }
    const std::filesystem::path& path = projectScan.path;
    if (!std::filesystem::is_directory(path))
        return readInput(path, options, session);
    for (const std::filesystem::path& scan : findScans(std::span(&path, 1), session.stop).scans)
        session.files.addInput(scan);
    const SurveyScan survey(path, session.console.step("looking at the files"), session.stop);
    ScanInput whole;
    const WallTimer timer;
    whole.cloud = survey.sample(survey.points(), session.console.step("reading"), session.stop);
    whole.readMs = timer.elapsedMs();
    session.warn(path.filename().string(), whole.cloud->warnings);
    return whole;
}

ScanInput readProjectTogether(const Project& project, const std::filesystem::path& path, ReadOptions options,
                              Session& session) {
    const WallTimer timer;
    std::vector<std::filesystem::path> paths;
    std::vector<std::optional<RigidTransform>> poses;
    const bool isAligned =
        project.isAligned &&
        std::ranges::any_of(project.scans, [](const ProjectScan& scan) { return scan.pose.has_value(); });
    for (const ProjectScan& scan : project.scans) {
        paths.push_back(scan.path);
        const auto pose = isAligned ? scan.pose : std::optional(RigidTransform{});
        poses.push_back(scan.isVisible ? pose : std::nullopt);
    }
    ScanCache cache(paths, 0); // a size of 0: every scan is read once, so caching would not help
    if (options.octree)
        options.octree->range.reset(); // The range selects merged coordinates, which differ from the
                                       // coordinates inside the files.
    options.progress = [asked = options.progress,
                        shown = session.console.step("merging the scans")](double done) {
        if (asked)
            asked(done);
        shown(done);
    };
    PointCloud merged = readTogether(cache, poses, options, session.stop);
    merged.path = path;
    for (const LeftOut& file : cache.problems())
        session.warnOfMissing(file.why);
    session.warn(path.filename().string(), merged.warnings);
    ScanInput input;
    input.cloud = std::make_shared<const PointCloud>(std::move(merged));
    input.readMs = timer.elapsedMs();
    return input;
}

} // namespace scanloupe::cli
