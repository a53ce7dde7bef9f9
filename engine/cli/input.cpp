#include "engine/cli/input.h"

#include "engine/cloud/error.h"

namespace scanloupe::cli {

ScanInput readInput(const std::filesystem::path& path, int columns, Session& session) {
    ReadOptions options;
    options.columns = columns;
    options.progress = session.console.step("reading " + path.string());
    ScanInput input = scanloupe::readInput(path, options, session.stop);
    if (input.cloud)
        for (const std::string& warning : input.cloud->warnings)
            session.console.line("warning: " + path.filename().string() + ": " + warning);
    return input;
}

std::shared_ptr<const PointCloud> readPoints(const std::filesystem::path& path, int columns,
                                             Session& session) {
    ScanInput input = readInput(path, columns, session);
    if (!input.cloud)
        throw EngineError("'" + path.string() + "' is a raw volume, which has no points.",
                          "Give a scan, or run the volume: scanloupe-cli run " + path.string() +
                              " --mesh OUT.ply");
    return input.cloud;
}

} // namespace scanloupe::cli
