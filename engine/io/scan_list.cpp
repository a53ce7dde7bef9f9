// Finds the scans among files and folders.
#include "engine/io/scan_list.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/text/natural_order.h"
#include "engine/io/formats.h"
#include "engine/io/text/plain_text.h"
#include "engine/io/text/read_text.h"
#include "engine/io/text/text_layout.h"
#include "engine/io/trajectory.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

/// Returns the entries of a folder that are not folders, in natural order. Dangling links are included, so
/// that they are reported as missing files.
std::vector<fs::path> listFiles(const fs::path& folder) {
    std::error_code error;
    fs::directory_iterator entries(folder, error);
    if (error)
        throw EngineError(
            fmt::format("the folder '{}' can't be listed: {}", folder.string(), error.message()),
            "Check that the folder exists and that you have permission to read it.");
    std::vector<fs::path> files;
    for (; entries != fs::directory_iterator(); entries.increment(error)) {
        std::error_code ignored; // opening an inaccessible entry reports the error
        if (!entries->is_directory(ignored))
            files.push_back(entries->path());
    }
    if (error)
        throw EngineError(
            fmt::format("listing the folder '{}' failed part-way: {}", folder.string(), error.message()),
            "Check that its drive is still connected and free of errors.");
    std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
        return naturalLess(a.filename().string(), b.filename().string());
    });
    return files;
}

/// Whether a file is the sidecar of a volume in the same folder.
bool isSidecar(const fs::path& path) {
    std::error_code ignored;
    return lowerEnding(path) == ".json" && fs::exists(fs::path(path).replace_extension(".raw"), ignored);
}

/// Whether a text begins like a table with at least three numeric columns.
bool hasRows(const InputFile& file, const std::stop_token& stop) {
    try {
        const SniffedText text = sniffText(*plainTextOf(file, stop).file, {}, stop);
        return std::ranges::count(text.layout.fields, false, &TextField::dropped) >= 3;
    } catch (const EngineError&) {
        return false;
    }
}

/// Classifies a file, and adds it to the list. A text file from a folder is a scan only if it has the
/// extension of a scan format, contains rows of numbers and does not contain poses. A text file that the user
/// named is always a scan.
void classifyFile(ScanList& list, const fs::path& path, bool named, const std::stop_token& stop) {
    try {
        const InputFile file(path);
        const FileFormat* format = detectFormat(file);
        const bool anyText = format && format->read == readText && !named;
        if (anyText && holdsPoses(file))
            list.poses.push_back(path);
        else if (!format || (anyText && !endsLikeAScan(path)))
            list.leftOut.push_back({path, fmt::format("'{}' has an unknown format", path.string()),
                                    !named && !endsLikeAScan(path)});
        else if (!named && anyText && !hasRows(file, stop))
            list.leftOut.push_back(
                {path, fmt::format("'{}' is a text file without rows of numbers", path.string()), true});
        else
            list.scans.push_back(path);
    } catch (const Error& error) {
        list.leftOut.push_back({path, error.what(), !named && !endsLikeAScan(path)});
    }
}

} // namespace

std::vector<ScansBelow> scansOneLevelDown(const fs::path& folder) {
    std::vector<ScansBelow> below;
    std::error_code error;
    for (fs::directory_iterator entries(folder, error); entries != fs::directory_iterator();
         entries.increment(error)) {
        std::error_code ignored;
        if (!entries->is_directory(ignored))
            continue;
        std::size_t scans = 0;
        for (fs::directory_iterator files(entries->path(), ignored); files != fs::directory_iterator();
             files.increment(ignored))
            scans += endsLikeAScan(files->path()) ? 1 : 0;
        if (scans > 0)
            below.push_back({entries->path(), scans});
    }
    std::ranges::sort(below, [](const ScansBelow& a, const ScansBelow& b) {
        return naturalLess(a.folder.string(), b.folder.string());
    });
    return below;
}

bool endsLikeAScan(const fs::path& path) {
    const auto& endings = scanEndings();
    return std::find(endings.begin(), endings.end(), lowerEnding(path)) != endings.end();
}

ScanList findScans(std::span<const fs::path> paths, const std::stop_token& stop) {
    ScanList list;
    const auto add = [&](const fs::path& path, bool named) {
        if (stop.stop_requested())
            throw Cancelled();
        classifyFile(list, path, named, stop);
    };
    std::vector<fs::path> sorted(paths.begin(), paths.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return naturalLess(a.string(), b.string()); });
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    for (const fs::path& path : sorted) {
        std::error_code ignored; // an inaccessible path is handled as a file, which reports the error
        if (!fs::is_directory(path, ignored)) {
            add(path, true);
            continue;
        }
        for (const fs::path& file : listFiles(path))
            if (!file.filename().string().starts_with('.') && !isSidecar(file))
                add(file, false);
    }
    return list;
}

std::string describeLeftOut(std::span<const LeftOut> leftOut, std::size_t files) {
    constexpr std::size_t kNamed = 5;
    std::string sentence = leftOut.size() == files
                               ? (files == 1 ? std::string("the file can't be opened")
                                             : fmt::format("none of the {} files can be opened", files))
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
