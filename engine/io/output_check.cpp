// Checks that output files can be written, are distinct, and overwrite no input.
#include "engine/io/output_check.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/write/write_failure.h"
#include "engine/io/glb/gltf_buffers.h"
#include "engine/io/scan_list.h"
#include "engine/io/scan_reader.h"
#include "engine/io/volume/read_volume.h"
#include "engine/io/volume/volume_shape.h"
#include "engine/io/writers.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

std::optional<struct ::stat> statFile(const fs::path& path) {
    struct ::stat info {};
    if (::stat(path.c_str(), &info) != 0)
        return std::nullopt;
    return info;
}

/// The path without links and dots; the file need not exist.
fs::path canonicalPath(const fs::path& target) {
    std::error_code unknown;
    const fs::path file = resolveTarget(target), path = fs::weakly_canonical(file, unknown);
    return unknown ? fs::absolute(file) : path;
}

/// Reports errors before the work that the file system would report only after it.
void requireWritable(const fs::path& target, const std::optional<struct ::stat>& there) {
    if (there && S_ISDIR(there->st_mode))
        throw EngineError(fmt::format("'{}' is a folder, and a file is to be written.", target.string()),
                          "Add a file's name.");
    if (isDescriptor(target) || (there && !S_ISREG(there->st_mode)))
        return; // pipes and devices are written in place, not replaced: their folder does not matter
    const fs::path folder = folderOf(resolveTarget(target));
    if (!fs::is_directory(folder))
        throw EngineError(fmt::format("The folder '{}' {}.", folder.string(),
                                      fs::exists(folder) ? "is a file" : "does not exist"),
                          "Make it first, or write somewhere else.");
    if (::access(folder.c_str(), W_OK | X_OK) != 0 || (there && ::access(target.c_str(), W_OK) != 0))
        detail::throwWriteFailure(target, errno);
}

} // namespace

void OutputCheck::addInput(const fs::path& path) {
    if (path.empty())
        return;
    std::vector<fs::path> files{path};
    if (isVolumeFile(path))
        files.push_back(sidecarOf(path));
    if (lowerEnding(path) == ".gltf")
        std::ranges::copy(gltfDataFiles(path), std::back_inserter(files));
    for (const fs::path& file : files)
        if (const auto info = statFile(file))
            (S_ISDIR(info->st_mode) ? m_folders : m_inputs).insert({info->st_dev, info->st_ino});
}

void OutputCheck::addOutput(const fs::path& target, const std::vector<std::string>& endings) {
    if (!endings.empty() && std::find(endings.begin(), endings.end(), lowerEnding(target)) == endings.end())
        throw EngineError(fmt::format("'{}' has an ending that can't be written here.", target.string()),
                          fmt::format("Take one of {}.", fmt::join(endings, ", ")));
    addWritten(target, !endings.empty()); // of any name are poses, which are not read as scans
}

void OutputCheck::addOutput(const OutputTarget& target) {
    addWritten(target.path, true);
}

void OutputCheck::addWritten(const fs::path& target, bool mayBeAScan) {
    const auto there = statFile(target);
    requireWritable(target, there);
    if (there && m_inputs.contains({there->st_dev, there->st_ino}))
        throw EngineError(fmt::format("'{}' would overwrite what is read.", target.string()),
                          "Write to another name.");
    requireDistinctOutput(target);
    const auto folder = statFile(folderOf(target));
    if (mayBeAScan && endsLikeAScan(target) && folder && m_folders.contains({folder->st_dev, folder->st_ino}))
        throw EngineError(
            fmt::format("'{}' would lie among the scans and be taken for one next time.", target.string()),
            "Write it to another folder.");
}

void OutputCheck::requireDistinctOutput(const fs::path& target) {
    const auto there = statFile(target);
    const bool isNew = !there || m_outputs.insert({there->st_dev, there->st_ino}).second;
    const fs::path path = canonicalPath(target);
    const auto [other, isAlone] = m_outputPaths.emplace(lowerCase(path.string()), path);
    if (!isNew || (!isAlone && other->second == path))
        throw EngineError(fmt::format("Two results would be written to '{}'.", target.string()),
                          "Give each a name of its own.");
    if (!isAlone)
        throw EngineError(
            fmt::format("'{}' and '{}' differ only by upper and lower case, which not every drive can "
                        "tell apart.",
                        other->second.filename().string(), path.filename().string()),
            "Give each a name of its own.");
}

} // namespace scanloupe
