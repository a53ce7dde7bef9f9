// Reads scans, folders and volumes, and reports progress and warnings on the console.
#include "engine/cli/input.h"

#include "engine/align/merge_clouds.h"
#include "engine/cli/output/text.h"
#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/reference.h"
#include "engine/io/common/read_options.h"
#include "engine/io/formats.h"
#include "engine/io/trajectory.h"
#include "kernels/core/cost.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe::cli {

namespace {

/// Rejects piped input whose format is neither named nor recognized by content. @throws EngineError
void requireFormat(const std::filesystem::path& path, const Session& session) {
    const std::string named = session.inputs.shown(path);
    if (named == path.string() || path.has_extension() || detectFormat(InputFile(path)))
        return;
    throw EngineError(fmt::format("The content of '{}' is not a known file format.", named),
                      fmt::format("Name the format as a prefix, as in bin:{}. Known formats: {}.", named,
                                  fmt::join(scanEndings(), ", ")));
}

/// Returns the points of an input. @throws EngineError for a raw volume, which has none
std::shared_ptr<const PointCloud> pointsOf(ScanInput input, const std::filesystem::path& path) {
    if (!input.cloud)
        throw EngineError("'" + path.string() + "' is a raw volume, which has no points.",
                          "Name a scan, or extract the surface of the volume: scanloupe-cli run " +
                              path.string() + " --mesh OUT.ply");
    return std::move(input.cloud);
}

} // namespace

ScanInput readInput(const std::filesystem::path& path, ReadOptions options, Session& session) {
    requireFormat(path, session);
    const ProgressFunction shown = session.console.step("reading " + session.inputs.shown(path));
    options.progress = [shown, also = std::move(options.progress)](double done) {
        if (also)
            also(done);
        shown(done);
    };
    ScanInput input = scanloupe::readInput(path, options, session.stop);
    if (!input.cloud)
        return input;
    const std::string name = std::filesystem::path(session.inputs.shown(path)).filename().string();
    session.warn(name, input.cloud->warnings);
    if (session.strict) {
        input.cloud->loadAll(session.stop);
        session.warn(name, input.cloud->loadWarnings());
    }
    input.cloud = session.remembered(name, std::move(input.cloud));
    return input;
}

EngineError noScansIn(const std::filesystem::path& folder) {
    constexpr std::size_t named = 5;
    const std::vector<ScansBelow> below = scansOneLevelDown(folder);
    const std::string what = fmt::format("the folder '{}' has no scans", folder.string());
    std::error_code unknown;
    if (std::filesystem::is_empty(folder, unknown))
        return {fmt::format("the folder '{}' is empty", folder.string()),
                "Name a scan, or a folder that contains scans."};
    if (below.empty())
        return {what, knownFormats()};
    std::string where;
    for (std::size_t i = 0; i < std::min(named, below.size()); ++i)
        where += fmt::format("{}{} ({})", i == 0 ? "" : ", ", below[i].folder.string(),
                             counted(below[i].scans, "file"));
    if (below.size() > named)
        where += fmt::format(" and {} more", below.size() - named);
    return {what, fmt::format("Its subfolders have scans: {}. Name one of these folders.", where)};
}

ScanList scansIn(const std::filesystem::path& folder, Session& session) {
    ScanList list = findScans(std::span(&folder, 1), session.stop);
    for (const LeftOut& file : list.leftOut)
        session.console.line((file.isNoScan ? "ignored: " : "skipped: ") + file.why);
    for (const std::filesystem::path& file : list.poses)
        session.console.line(
            fmt::format("skipped: '{}' contains poses, not points; use --poses to merge scans by these poses",
                        file.string()));
    if (list.scans.empty())
        throw noScansIn(folder);
    for (const std::filesystem::path& scan : list.scans)
        session.files.addInput(scan);
    return list;
}

std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, const ReadOptions& options,
                                             Session& session) {
    return pointsOf(readInput(path, options, session), path);
}

std::shared_ptr<const PointCloud> pointsIn(const std::filesystem::path& path, const ReadOptions& options,
                                           const Session& session) {
    requireFormat(path, session);
    return pointsOf(scanloupe::readInput(path, options, session.stop), path);
}

void warnOfMerging(const PointCloud& merged, Session& session) {
    for (const std::string& warning : merged.warnings)
        if (!isDamageWarning(warning))
            session.console.line("warning: " + warning);
}

void warnOfReference(const Reference* reference, Session& session) {
    if (!reference)
        return;
    std::vector<std::string> damage = reference->warnings;
    std::erase_if(damage, [](const std::string& warning) { return !isDamageWarning(warning); });
    session.warn(reference->name, damage);
}

ScanInput readPosedScans(const std::filesystem::path& folder, const std::string& posesFile,
                         ReadOptions options, Session& session) {
    if (options.octree)
        options.octree->range.reset(); // The range selects merged coordinates, which differ from the
                                       // coordinates inside the files.
    const WallTimer timer;
    const std::vector<std::filesystem::path> scans =
        scansIn(folder, session).scans; // same order as the poses that `align` writes
    const std::vector<RigidTransform> poses = readTrajectory(session.input(posesFile)).poses;
    if (poses.size() != scans.size())
        throw EngineError(
            fmt::format(
                "The number of poses does not match the number of scans: '{}' has {}, and the folder has {}.",
                posesFile, counted(poses.size(), "pose"), counted(scans.size(), "scan")),
            "Write one pose for each scan, in the order of the scans' names.");
    std::vector<PosedCloud> posed;
    for (std::size_t i = 0; i < scans.size(); ++i)
        posed.push_back({readPoints(scans[i], options, session), poses[i]});
    PointCloud merged = mergeClouds(posed, session.console.step("merging the scans"), session.stop);
    merged.path = session.inputs.shown(folder);
    warnOfMerging(merged, session);
    ScanInput input;
    input.cloud = std::make_shared<const PointCloud>(std::move(merged));
    input.readMs = timer.elapsedMs();
    return input;
}

} // namespace scanloupe::cli
