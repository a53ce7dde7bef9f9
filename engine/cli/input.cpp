// Reads scans, folders and volumes, and reports progress and warnings on the console.
#include "engine/cli/input.h"

#include "engine/cloud/error.h"
#include "engine/io/formats.h"

#include <fmt/format.h>

namespace scanloupe::cli {

ScanInput readInput(const std::filesystem::path& path, ReadOptions options, Session& session) {
    const ProgressFunction shown = session.console.step("reading " + path.string());
    options.progress = [shown, also = std::move(options.progress)](double done) {
        if (also)
            also(done);
        shown(done);
    };
    ScanInput input = scanloupe::readInput(path, options, session.stop);
    if (input.cloud)
        for (const std::string& warning : input.cloud->warnings)
            session.console.line("warning: " + path.filename().string() + ": " + warning);
    return input;
}

ScanList scansIn(const std::filesystem::path& folder, Session& session) {
    ScanList list = findScans(std::span(&folder, 1), session.stop);
    for (const LeftOut& file : list.leftOut)
        session.console.line("left out: " + file.why);
    for (const std::filesystem::path& file : list.poses)
        session.console.line(fmt::format(
            "left out: '{}' holds poses, no points; --poses places scans by them", file.string()));
    if (list.scans.empty())
        throw EngineError(fmt::format("the folder '{}' has no scans", folder.string()), knownFormats());
    return list;
}

std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, const ReadOptions& options,
                                             Session& session) {
    ScanInput input = readInput(path, options, session);
    if (!input.cloud)
        throw EngineError("'" + path.string() + "' is a raw volume, which has no points.",
                          "Give a scan, or run the volume: scanloupe-cli run " + path.string() +
                              " --mesh OUT.ply");
    return input.cloud;
}

} // namespace scanloupe::cli
