#include "engine/io/scan_list.h"

#include "engine/cloud/error.h"
#include "engine/io/file_kind.h"
#include "engine/io/natural_order.h"
#include "engine/io/scan_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

/// The plain files of a folder, in natural order.
std::vector<fs::path> filesOf(const fs::path& folder) {
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error)
        throw EngineError(
            fmt::format("the folder '{}' can't be listed: {}", folder.string(), error.message()),
            "Check that it is there, is a folder and that you may read it.");
    std::vector<fs::path> files;
    for (; entries != fs::directory_iterator(); entries.increment(error)) {
        std::error_code ignored; // an entry that can't be looked at is no scan
        if (entries->is_regular_file(ignored))
            files.push_back(entries->path());
    }
    if (error)
        throw EngineError(
            fmt::format("the folder '{}' can't be listed to its end: {}", folder.string(), error.message()),
            "Check that its drive is there and healthy.");
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
        return naturallyBefore(a.filename().string(), b.filename().string());
    });
    return files;
}

bool endsLikeAScan(const fs::path& path) {
    const auto& endings = scanEndings();
    return std::find(endings.begin(), endings.end(), lowerEnding(path)) != endings.end();
}

/// Tells the shape of a volume that lies beside it.
bool isSidecar(const fs::path& path) {
    std::error_code ignored;
    return lowerEnding(path) == ".json" && fs::exists(fs::path(path).replace_extension(".raw"), ignored);
}

/// Why this can't be a scan; empty when it may be one.
std::string reasonAgainst(const fs::path& path, bool chosenByName) {
    try {
        const InputFile file(path);
        const FileKind kind = fileKind(file);
        const bool anyText = kind == FileKind::text && !chosenByName && !endsLikeAScan(path);
        if (kind == FileKind::unknown || anyText)
            return fmt::format("'{}' is of no format that is known", path.string());
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

ScanList findScans(std::span<const fs::path> paths, const std::stop_token& stop) {
    ScanList list;
    const auto take = [&](const fs::path& path, bool chosenByName) {
        if (stop.stop_requested())
            throw Cancelled();
        if (std::string why = reasonAgainst(path, chosenByName); !why.empty())
            list.leftOut.push_back({path, std::move(why)});
        else
            list.scans.push_back(path);
    };
    std::vector<fs::path> sorted(paths.begin(), paths.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return naturallyBefore(a.string(), b.string()); });
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (const fs::path& path : sorted) {
        std::error_code ignored; // what can't be looked at is told as a file
        if (!fs::is_directory(path, ignored)) {
            take(path, true);
            continue;
        }
        for (const fs::path& file : filesOf(path))
            if (!file.filename().string().starts_with('.') && !isSidecar(file))
                take(file, false);
    }
    return list;
}

std::vector<fs::path> listScans(const fs::path& folder) {
    std::vector<fs::path> scans = filesOf(folder);
    std::erase_if(scans, [](const fs::path& path) { return !endsLikeAScan(path); });
    if (scans.empty())
        throw EngineError(fmt::format("the folder '{}' has no scans", folder.string()), knownFormats());
    return scans;
}

std::string sentenceOn(std::span<const LeftOut> leftOut, std::size_t files) {
    constexpr std::size_t kNamed = 5;
    std::string sentence = leftOut.size() == files
                               ? fmt::format("none of {} files can be opened", files)
                               : fmt::format("{} of {} files can't be opened and {} left out", leftOut.size(),
                                             files, leftOut.size() == 1 ? "is" : "are");
    for (std::size_t i = 0; i < std::min(kNamed, leftOut.size()); ++i)
        sentence += (i == 0 ? ": " : ", ") + leftOut[i].path.filename().string();
    if (leftOut.size() > kNamed)
        sentence += fmt::format(" and {} more", leftOut.size() - kNamed);
    if (leftOut.size() == 1)
        sentence += " (" + leftOut.front().why + ")";
    return sentence;
}

} // namespace scanloupe
