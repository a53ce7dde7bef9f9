#include "engine/cli/input.h"

#include "engine/cloud/error.h"
#include "kernels/core/cost.h"

namespace scanloupe::cli {

Input readInput(const std::filesystem::path& path, int columns, Session& session) {
    const WallTimer timer;
    ReadOptions options;
    options.columns = columns;
    options.progress = session.console.step("reading " + path.string());
    Input input;
    if (std::filesystem::is_regular_file(path) && isVolumeFile(path)) {
        input.volume = std::make_shared<const Volume>(readVolume(path, options, session.stop));
    } else {
        input.cloud = readScan(path, options, session.stop);
        for (const std::string& warning : input.cloud->warnings)
            session.console.line("warning: " + path.filename().string() + ": " + warning);
    }
    input.readMs = timer.elapsedMs();
    return input;
}

std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, int columns,
                                             Session& session) {
    Input input = readInput(path, columns, session);
    if (!input.cloud)
        throw EngineError("'" + path.string() + "' is a raw volume, which has no points.",
                          "Give a scan, or run the volume: scanloupe-cli run " + path.string() +
                              " --mesh OUT.ply");
    return input.cloud;
}

} // namespace scanloupe::cli
