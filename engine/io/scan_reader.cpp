#include "engine/io/scan_reader.h"

#include "engine/io/file_kind.h"
#include "engine/io/natural_order.h"
#include "engine/io/read_e57.h"
#include "engine/io/read_las.h"
#include "engine/io/read_pcd.h"
#include "engine/io/read_ply.h"
#include "engine/io/read_ptx.h"
#include "engine/io/read_sweep.h"
#include "engine/io/read_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

namespace scanloupe {

namespace {

[[noreturn]] void refuse(const std::string& what) {
    std::string endings;
    for (const auto& ending : scanEndings()) {
        if (!endings.empty())
            endings += ", ";
        endings += ending;
    }
    throw EngineError(
        what, "Convert it to PLY, for example with CloudCompare or PDAL. Known are: " + endings + ".");
}

std::shared_ptr<const PointCloud> readKind(const InputFile& file, const ReadOptions& options,
                                           const std::stop_token& stop) {
    const std::string name = fmt::format("'{}'", file.name());
    switch (fileKind(file)) {
    case FileKind::ply:
        return readPly(file, options, stop);
    case FileKind::pcd:
        return readPcd(file, options, stop);
    case FileKind::sweep:
        return readSweep(file, options, stop);
    case FileKind::text:
        return readText(file, options, stop);
    case FileKind::ptx:
        return readPtx(file, options, stop);
    case FileKind::las:
        return readLas(file, options, stop);
    case FileKind::e57:
        return readE57(file, options, stop);
    case FileKind::volume:
        throw EngineError(name + " is a raw volume, not a scan of points", "Open it as a volume.");
    case FileKind::unknown:
        break;
    }
    refuse(name + " is of no format that is known: neither its content nor its name tells one");
}

} // namespace

std::shared_ptr<const PointCloud> readScan(const std::filesystem::path& path, const ReadOptions& options,
                                           const std::stop_token& stop) {
    const InputFile file(path);
    return readKind(file, options, stop);
}

std::vector<std::filesystem::path> listScans(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::directory_iterator entries(folder, error);
    if (error)
        throw EngineError(
            fmt::format("the folder '{}' can't be listed: {}", folder.string(), error.message()),
            "Check that it is there, is a folder and that you may read it.");
    std::vector<std::filesystem::path> scans;
    const auto& endings = scanEndings();
    for (; entries != std::filesystem::directory_iterator(); entries.increment(error)) {
        std::error_code ignored; // an entry that can't be looked at is no scan
        if (entries->is_regular_file(ignored) &&
            std::find(endings.begin(), endings.end(), lowerEnding(entries->path())) != endings.end())
            scans.push_back(entries->path());
    }
    if (error)
        throw EngineError(
            fmt::format("the folder '{}' can't be listed to its end: {}", folder.string(), error.message()),
            "Check that its drive is there and healthy.");
    if (scans.empty())
        refuse(fmt::format("the folder '{}' has no scans", folder.string()));
    std::sort(scans.begin(), scans.end(), [](const auto& a, const auto& b) {
        return naturallyBefore(a.filename().string(), b.filename().string());
    });
    return scans;
}

const std::vector<std::string>& scanEndings() {
    static const std::vector<std::string> endings = {".ply", ".pcd", ".las", ".laz", ".e57", ".bin",
                                                     ".xyz", ".txt", ".csv", ".asc", ".pts", ".ptx"};
    return endings;
}

} // namespace scanloupe
