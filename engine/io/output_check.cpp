// Checks that output files can be written, are distinct, and overwrite no input.
#include "engine/io/output_check.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/common/named_file.h"
#include "engine/io/common/write/write_failure.h"
#include "engine/io/glb/gltf_buffers.h"
#include "engine/io/scan_list.h"
#include "engine/io/tileset/read_tileset.h"
#include "engine/io/tileset/tileset_tree.h"
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
#include <utility>

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

std::pair<std::uint64_t, std::uint64_t> idOf(const struct ::stat& info) {
    return {info.st_dev, info.st_ino};
}

/// Returns the companion files that a reader opens along with the file, according to its content. @throws
/// Cancelled
std::vector<fs::path> filesBelongingTo(const fs::path& file, const std::stop_token& stop) {
    if (isVolumeFile(file))
        return {sidecarOf(file)};
    const auto isGltf = [](const fs::path& path) {
        const std::string ending = lowerEnding(path);
        return ending == ".gltf" || ending == ".glb";
    };
    std::string head;
    try {
        head = InputFile(file).head(4096);
    } catch (const EngineError&) { // the reader reports the error when it opens the file
        return {};
    }
    if (isGltf(file) || head.starts_with("glTF"))
        return gltfDataFiles(file);
    if (!beginsTileset(head)) // other JSON, such as projects and recipes
        return {};
    std::vector<fs::path> files = tilesetFiles(file, stop);
    for (std::size_t i = 0, count = files.size(); i < count; ++i) {
        if (stop.stop_requested())
            throw Cancelled();
        if (isGltf(files[i]))
            std::ranges::copy(gltfDataFiles(files[i]), std::back_inserter(files));
    }
    return files;
}

[[noreturn]] void throwSidecar(const fs::path& target) {
    throw EngineError(
        fmt::format("'{}' would be read as the sidecar of the input volume next to it.", target.string()),
        "Write to another name.");
}

[[noreturn]] void throwOverwrites(const fs::path& target) {
    throw EngineError(fmt::format("'{}' would overwrite an input file.", target.string()),
                      "Write to another name.");
}

[[noreturn]] void throwInFolder(const fs::path& folder, const fs::path& input) {
    throw EngineError(
        fmt::format("'{}' is an input, but it is in the output folder '{}', where files are replaced.",
                    input.string(), folder.string()),
        "Write to another folder.");
}

/// Returns the path without links, `.` and `..`; the file need not exist.
fs::path canonicalPath(const fs::path& target) {
    return resolvedPath(resolveTarget(target));
}

/// Reports errors of the file system before a long computation instead of after it.
void requireWritable(const fs::path& target, const std::optional<struct ::stat>& there) {
    if (there && S_ISDIR(there->st_mode))
        throw EngineError(fmt::format("'{}' is a folder, not a file name.", target.string()),
                          "Add a file name to the path.");
    if (isDescriptor(target) || (there && !S_ISREG(there->st_mode)))
        return; // pipes and devices are written in place, not replaced: their folder does not matter
    const fs::path folder = folderOf(resolveTarget(target));
    if (!fs::is_directory(folder))
        throw EngineError(fmt::format("The folder '{}' {}.", folder.string(),
                                      fs::exists(folder) ? "is a file, not a folder" : "does not exist"),
                          "Create the folder first, or write to another one.");
    if (::access(folder.c_str(), W_OK | X_OK) != 0 || (there && ::access(target.c_str(), W_OK) != 0))
        detail::throwWriteFailure(target, errno);
}

} // namespace

void OutputCheck::addInput(const fs::path& path) {
    const auto info = path.empty() ? std::nullopt : statFile(path);
    if (!info)
        return;
    const FileId id = idOf(*info);
    if (S_ISDIR(info->st_mode))
        m_folders.insert(id);
    for (const fs::path& folder : m_outputFolders)
        if (liesWithin(path, folder))
            throwInFolder(folder, path);
    if (!S_ISREG(info->st_mode) || !m_inputs.insert(id).second)
        return;
    if (!m_outputFolders.empty())
        for (const fs::path& file : filesBelongingTo(path, m_stop))
            for (const fs::path& folder : m_outputFolders)
                if (statFile(file) && liesWithin(file, folder))
                    throwInFolder(folder, file);
    m_companions.push_back(std::make_shared<Companions>(Companions{path, false, {}}));
    for (const FileId& output : m_outputs)
        if (isInput(output))
            throwOverwrites(outputOf(output));
    if (isVolumeFile(path)) {
        const std::string sidecar = lowerCase(canonicalPath(sidecarOf(path)).string());
        m_sidecars.insert(sidecar);
        if (m_outputPaths.contains(sidecar))
            throwSidecar(m_outputPaths[sidecar]);
    }
}

void OutputCheck::addOutput(const fs::path& target, const std::vector<std::string>& endings) {
    if (!endings.empty() && std::find(endings.begin(), endings.end(), lowerEnding(target)) == endings.end())
        throw EngineError(fmt::format("'{}' has an unsupported extension.", target.string()),
                          fmt::format("Use one of these extensions: {}.", fmt::join(endings, ", ")));
    // only pose files may have any extension, and they are not read as scans
    addWritten(target, !endings.empty());
}

void OutputCheck::addOutput(const OutputTarget& target) {
    addWritten(target.path, true);
}

void OutputCheck::addOutputFolder(const fs::path& folder) {
    const fs::path path = canonicalPath(folder);
    for (const auto& [spelling, output] : m_outputPaths)
        if (liesWithin(output, path))
            throw EngineError(
                fmt::format("The output '{}' would be in the output folder '{}', where files are replaced.",
                            output.string(), folder.string()),
                "Write the file to another folder.");
    m_outputFolders.push_back(path);
    const auto there = statFile(folder);
    if (!there)
        return;
    if (m_folders.contains(idOf(*there)))
        throwInFolder(folder, folder);
    std::error_code unreadable; // writing reports the error
    for (fs::recursive_directory_iterator entry(folder, unreadable), end; !unreadable && entry != end;
         entry.increment(unreadable)) {
        if (m_stop.stop_requested())
            throw Cancelled();
        const auto info = statFile(entry->path());
        if (!info)
            continue;
        if (S_ISDIR(info->st_mode) && m_folders.contains(idOf(*info)))
            throwInFolder(folder, entry->path());
        if (S_ISREG(info->st_mode))
            requireNoInput(idOf(*info), entry->path());
    }
}

void OutputCheck::addWritten(const fs::path& target, bool mayBeAScan) {
    const auto there = statFile(target);
    requireWritable(target, there);
    if (there && S_ISREG(there->st_mode))
        requireNoInput(idOf(*there), target);
    if (m_sidecars.contains(lowerCase(canonicalPath(target).string())))
        throwSidecar(target);
    requireDistinctOutput(target);
    for (const fs::path& folder : m_outputFolders)
        if (liesWithin(canonicalPath(target), folder))
            throw EngineError(
                fmt::format("The output '{}' would be in the output folder '{}', where files are replaced.",
                            target.string(), folder.string()),
                "Write the file to another folder.");
    const auto folder = statFile(folderOf(resolveTarget(target)));
    if (mayBeAScan && endsLikeAScan(target) && folder && m_folders.contains(idOf(*folder)))
        throw EngineError(
            fmt::format("'{}' is in the folder of the input scans and would be read as a scan next time.",
                        target.string()),
            "Write the file to another folder.");
    if (isVolumeFile(target))
        addWritten(sidecarOf(target), false);
}

fs::path OutputCheck::outputOf(const FileId& written) const {
    for (const auto& [spelling, output] : m_outputPaths)
        if (const auto there = statFile(output); there && idOf(*there) == written)
            return output;
    return {};
}

bool OutputCheck::isInput(const FileId& written) {
    for (const auto& companions : m_companions) {
        if (m_stop.stop_requested())
            throw Cancelled();
        if (!companions->isKnown)
            for (const fs::path& file : filesBelongingTo(companions->input, m_stop))
                if (const auto info = statFile(file); info && S_ISREG(info->st_mode))
                    companions->files.insert(idOf(*info));
        companions->isKnown = true;
        m_inputs.insert(companions->files.begin(), companions->files.end());
    }
    m_companions.clear();
    return m_inputs.contains(written);
}

void OutputCheck::requireNoInput(const FileId& written, const fs::path& target) {
    if (isInput(written))
        throwOverwrites(target);
}

void OutputCheck::requireDistinctOutput(const fs::path& target) {
    const auto there = statFile(target);
    const bool isNew = !there || m_outputs.insert(idOf(*there)).second;
    const fs::path path = canonicalPath(target);
    const auto [other, isAlone] = m_outputPaths.emplace(lowerCase(path.string()), path);
    if (!isNew || (!isAlone && other->second == path))
        throw EngineError(fmt::format("Two results would be written to '{}'.", target.string()),
                          "Give each output a different name.");
    if (!isAlone)
        throw EngineError(fmt::format("The output names '{}' and '{}' differ only in upper and lower case, "
                                      "which some drives don't distinguish.",
                                      other->second.filename().string(), path.filename().string()),
                          "Give the outputs names that differ in more than case.");
}

} // namespace scanloupe
