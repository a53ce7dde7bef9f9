// Restricts a job in tiles to the files that it has created in its folder.
#include "engine/tiles/job_folder.h"

#include "engine/cloud/error.h"
#include "engine/io/common/bounded_json.h"
#include "engine/io/common/file_checksum.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/named_file.h"
#include "engine/io/common/write/own_files.h"
#include "engine/io/common/write/write_atomically.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kJobFile = "job.json";
constexpr const char* kNames = "names"; ///< key in the job file
/// Names of everything that jobs write into their folder. Earlier versions put scratch files into points and
/// levels, and would remove these folders when they resume a job.
constexpr std::array kJobNames{"tiles",        "voxels", "cleaned", "manifest.json",
                               "tileset.json", "nodes",  "points",  "levels"};

/// True also for a broken link, and for a path whose status can't be read.
bool isTaken(const fs::path& path) {
    std::error_code unknown;
    return fs::symlink_status(path, unknown).type() != fs::file_type::not_found;
}

/// job.json can be copied: a file to be replaced must itself be such a document, or empty.
void requireDocument(const fs::path& file) {
    requirePlainFile(file);
    std::error_code unknown;
    if (const auto bytes = fs::file_size(file, unknown); unknown || bytes == 0)
        return;
    const std::string head = headOf(file);
    if (!isBlank(head) && !head.starts_with("{\n  \"schema\": \"scanloupe/tiles/") &&
        !head.starts_with(R"({"asset":{"version":"1.1","extras":{"generator":")"))
        throw EngineError(
            fmt::format("'{}' is where the job writes a document, and another program has made it.",
                        file.string()),
            "Move it away, or name another folder.");
}

[[noreturn]] void throwForeign(const fs::path& folder, const char* name) {
    throw EngineError(fmt::format("'{}' holds '{}', which a job in tiles would write, and is not the folder "
                                  "of such a job.",
                                  folder.string(), name),
                      "Name a new folder, or an empty one.");
}

/// Others may have prepared the folder: rejects links, so that the job's files stay in it.
/// @throws EngineError
void requirePlainFolder(const fs::path& folder) {
    std::error_code unknown;
    const fs::file_type type = fs::symlink_status(folder, unknown).type();
    if (type != fs::file_type::directory && type != fs::file_type::not_found)
        throw EngineError(
            fmt::format("'{}' is a link or a file where the job has a folder.", folder.string()),
            "Move it away, or name another folder. To have the tiles on another drive, name a folder there.");
}

} // namespace

JobFolder::JobFolder(fs::path folder, const std::string& job, Access access)
    : m_path(std::move(folder)), m_job(job), m_access(access) {
    Sha256 sum;
    sum.add(std::span<const char>(job));
    m_scratch = fmt::format("scratch-{}-", hexOf(sum.digest()).substr(0, 16));
    if (m_access == Access::shared)
        return;
    std::error_code failed;
    fs::create_directories(m_path, failed);
    if (failed)
        throw EngineError(
            fmt::format("The folder '{}' can't be made: {}.", m_path.string(), failed.message()),
            "Name a folder that you may write to.");
    readJob(); // a folder that is refused stays without a lock file
    lock();
    readJob();                                 // another process may have created it meanwhile
    ScratchFolder::removeAbandoned(scratch()); // before a rank creates its own
}

JobFolder::~JobFolder() {
    if (m_lock >= 0)
        ::close(m_lock); // and unlocked
}

void JobFolder::lock() {
    const fs::path file = m_path / "lock";
    const int descriptor = ::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    const auto refuse = [&](const std::string& what, const char* next) {
        if (descriptor >= 0)
            ::close(descriptor);
        throw EngineError(what, next);
    };
    struct stat info {};
    const bool isFile = descriptor >= 0 && ::fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    if (!isFile)
        refuse(
            fmt::format("'{}', which keeps other processes from working in the folder, can't be opened: {}.",
                        file.string(), descriptor < 0 ? std::strerror(errno) : "it is not a file"),
            "Name a writable folder, or move the file of this name away.");
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const int code = errno;
        if (code == EWOULDBLOCK)
            refuse(fmt::format("Another process works in '{}'.", m_path.string()),
                   "Wait until it is done, or stop it.");
        refuse(fmt::format("'{}' can't be locked: {}.", file.string(), std::strerror(code)),
               "Name a folder on a drive that has file locks.");
    }
    m_lock = descriptor;
}

void JobFolder::readJob() {
    const fs::path file = m_path / kJobFile;
    if (!isTaken(file)) {
        for (const char* name : kJobNames)
            if (isTaken(m_path / name))
                throwForeign(m_path, name);
        return;
    }
    requirePlainFile(file);
    m_names = namesOfSameJob();
}

void JobFolder::requireSameJob() const {
    namesOfSameJob();
}

std::vector<std::string> JobFolder::namesOfSameJob() const {
    const fs::path file = m_path / kJobFile;
    const std::string head = headOf(file);
    Json json;
    try {
        json = parseBoundedJson(readSmallFile(file, std::uint64_t{1} << 20), kJobFile);
    } catch (const EngineError& error) {
        if (isBlank(head) || head.starts_with("{\n \"program\": ")) // as the job writes it
            throw EngineError(fmt::format("'{}', the list of files written by the job, is damaged: {}",
                                          file.string(), error.what()),
                              "Put back a copy of it, or name a new folder, in which the tiles are computed "
                              "again.");
    }
    if (!json.is_object() || !json.contains("tile_size"))
        throwForeign(m_path, kJobFile);
    std::vector<std::string> names;
    const Json listed = json.value(kNames, Json());
    const bool hasNames =
        listed.is_array() && std::ranges::all_of(listed, [&](const Json& name) {
            if (name.is_string())
                names.push_back(name.get<std::string>());
            return name.is_string() && std::ranges::find(kJobNames, names.back()) != kJobNames.end();
        });
    json.erase(kNames);
    if (!hasNames || json != parseBoundedJson(m_job, kJobFile))
        throw EngineError(
            fmt::format("'{}' holds the tiles of another survey, of other values, or of another "
                        "version of the program.",
                        m_path.string()),
            "Name another folder.");
    return names;
}

bool JobFolder::owns(const std::string& name) const {
    return std::ranges::find(m_names, name) != m_names.end();
}

void JobFolder::claim(const std::vector<std::string>& names) {
    if (m_access == Access::shared)
        return;
    std::vector<std::string> all = m_names;
    for (const std::string& name : names)
        if (owns(name)) {
            if (fs::path(name).has_extension())
                requireDocument(m_path / name);
            else
                requirePlainFolder(m_path / name);
        } else if (isTaken(m_path / name)) {
            throw EngineError(
                fmt::format("'{}' exists, and the job did not write it.", (m_path / name).string()),
                "Move it away, or name another folder.");
        } else {
            all.push_back(name);
        }
    if (all.size() == m_names.size() && isTaken(m_path / kJobFile))
        return;
    Json json = parseBoundedJson(m_job, kJobFile);
    json[kNames] = all;
    writeAtomically(m_path / kJobFile, [&](std::ostream& out) {
        out << json.dump(1, ' ', false, Json::error_handler_t::replace) << '\n';
    });
    m_names = std::move(all);
}

void JobFolder::makeFolder(const fs::path& name) const {
    fs::path folder = m_path;
    for (const fs::path& part : name) {
        folder /= part;
        requirePlainFolder(folder);
        std::error_code failed;
        fs::create_directory(folder, failed);
        if (failed)
            throw EngineError(
                fmt::format("The folder '{}' can't be made: {}.", folder.string(), failed.message()),
                "Name a folder that you may write to.");
    }
}

void requireOutsideJob(const fs::path& folder, const std::vector<fs::path>& scans) {
    for (const char* name : kJobNames) {
        const fs::path written = resolvedPath(folder / name);
        for (const fs::path& scan : scans) {
            const fs::path read = resolvedPath(scan);
            if (std::ranges::mismatch(written, read).in1 == written.end())
                throw EngineError(fmt::format("'{}' lies where tiles would be written.", scan.string()),
                                  "Name another folder, or move the scan.");
        }
    }
}

void requirePlainFile(const fs::path& file) {
    std::error_code unknown;
    const fs::file_type type = fs::symlink_status(file, unknown).type();
    if (type != fs::file_type::regular && type != fs::file_type::not_found)
        throw EngineError(
            fmt::format("'{}' is a link, a folder or a device where the job writes a file.", file.string()),
            "Move it away, or name another folder.");
}

} // namespace scanloupe
