// Names the files of tilesets by their content, and removes files that no tileset refers to.
#include "engine/survey/tileset/node_files.h"

#include "engine/cloud/error.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/write/own_files.h"

#include <fmt/format.h>
#include <functional>
#include <regex>
#include <string>
#include <string_view>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFolder = "nodes";
constexpr const char* kTileset = "tileset.json";

/// Whether a path is the folder of a level, and not a link.
bool isLevel(const fs::path& path) {
    static const std::regex level("[0-9]+");
    std::error_code unknown;
    return std::regex_match(path.filename().string(), level) &&
           fs::symlink_status(path, unknown).type() == fs::file_type::directory;
}

/// Whether a 3D Tiles document begins like those of this program.
bool isOwnTileset(std::string_view head) {
    return head.starts_with(R"({"asset":{"version":"1.1","extras":{"generator":")") &&
           head.substr(0, 256).find("(commit ") != std::string_view::npos;
}

/// Whether a file in the folder of a level is that of a node. Names written by a job always include a
/// checksum. Files without one belong to another program, even if job.json is a copy.
bool isNodeFile(const fs::path& path) {
    static const std::regex node(R"(-?[0-9]+_-?[0-9]+_-?[0-9]+-[0-9a-f]{16}\.(glb|json))");
    if (!std::regex_match(path.filename().string(), node) || !isLevel(path.parent_path()))
        return false;
    const std::string head = headOf(path);
    return path.extension() == ".json"
               ? isOwnTileset(head)
               : head.starts_with("glTF") && head.find(R"("generator":"Scanloupe)") != std::string::npos;
}

/// Removes files of nodes that are not wanted, and folders of levels that become empty.
void removeNodes(const JobFolder& job, const std::function<bool(const fs::path&)>& isWanted) {
    removeOwnFiles(job.path() / kFolder, [&](const fs::path& path) {
        return isLevel(path) || (isNodeFile(path) && !isWanted(path));
    });
}

/// Whether a tileset belongs to another surface. A tileset without a checksum does.
bool isOfOther(const fs::path& tileset, const Sha256Digest& surface) {
    try {
        requirePlainFile(tileset);
        constexpr std::uint64_t limit = std::uint64_t{1} << 30; // bytes
        const std::string text = readSmallFile(tileset, limit);
        return isOwnTileset(text) &&
               text.find(fmt::format("\"{}\":\"{}\"", kSurfaceKey, hexOf(surface))) == std::string::npos;
    } catch (const EngineError&) { // the tileset is missing or unreadable
        return false;
    }
}

} // namespace

NodeFiles::~NodeFiles() {
    if (!m_new.empty())
        removeNodes(m_job, [this](const fs::path& path) { return !m_new.contains(path); });
}

fs::path NodeFiles::place(const LodNode& node, const Sha256Digest& content, const char* ending) {
    const fs::path level = fs::path(kFolder) / std::to_string(node.level);
    const fs::path name = level / fmt::format("{}_{}_{}-{}{}", node.place.x, node.place.y, node.place.z,
                                              hexOf(content).substr(0, 16), ending);
    const fs::path file = m_job.path() / name;
    const std::lock_guard lock(m_mutex);
    m_job.makeFolder(level);
    requirePlainFile(file);
    const bool isThere = fs::exists(file);
    if (isThere && !isNodeFile(file) && !isBlank(headOf(file)))
        throw EngineError(fmt::format("The job writes a tileset file to '{}', but this file exists and was "
                                      "created by another program.",
                                      file.string()),
                          "Move the file away, or name another output folder.");
    m_files.insert(file);
    if (!isThere)
        m_new.insert(file);
    return name;
}

void NodeFiles::keep() {
    m_new.clear();
    removeNodes(m_job, [this](const fs::path& path) { return m_files.contains(path); });
}

void removeOtherTileset(const JobFolder& job, const Sha256Digest& surface) {
    if (!job.owns(kTileset) || !job.owns(kFolder) || !isOfOther(job.path() / kTileset, surface))
        return;
    if (removeOwnFile(job.path() / kTileset))
        removeNodes(job, [](const fs::path&) { return false; });
}

} // namespace scanloupe
