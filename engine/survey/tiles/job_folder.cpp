// Limits a tiling job to the files that it has created in its folder.
#include "engine/survey/tiles/job_folder.h"

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
/// Names of all files and folders that jobs write. "points" and "levels" belong to earlier versions: they
/// contained scratch files, and were removed when a job was resumed.
constexpr std::array kJobNames{"tiles",        "voxels", "cleaned", "manifest.json",
                               "tileset.json", "nodes",  "points",  "levels"};

/// Whether a path exists. Also true for a broken link, and for a path whose status can't be read.
bool isTaken(const fs::path& path) {
    std::error_code unknown;
    return fs::symlink_status(path, unknown).type() != fs::file_type::not_found;
}

/// Rejects a file that the job must not overwrite. The list in job.json is not sufficient, since it can be
/// copied to another folder: the file itself must be a document of a job, or empty.
void requireDocument(const fs::path& file) {
    requirePlainFile(file);
    std::error_code unknown;
    if (const auto bytes = fs::file_size(file, unknown); unknown || bytes == 0)
        return;
    const std::string head = headOf(file);
    if (!isBlank(head) && !head.starts_with("{\n  \"schema\": \"scanloupe/tiles/") &&
        !head.starts_with(R"({"asset":{"version":"1.1","extras":{"generator":")"))
        throw EngineError(
            fmt::format("The job writes to '{}', but this file exists and was created by another program.",
                        file.string()),
            "Move the file away, or name another output folder.");
}

[[noreturn]] void throwForeign(const fs::path& folder, const char* name) {
    throw EngineError(
        fmt::format("The folder '{}' contains '{}', but no tiling job created it: the job would "
                    "overwrite it.",
                    folder.string(), name),
        "Name a new or empty output folder.");
}

/// Rejects links, so that the job's files stay in its folder even if another user prepared the folder.
/// @throws EngineError
void requirePlainFolder(const fs::path& folder) {
    std::error_code unknown;
    const fs::file_type type = fs::symlink_status(folder, unknown).type();
    if (type != fs::file_type::directory && type != fs::file_type::not_found)
        throw EngineError(
            fmt::format("The job needs a folder '{}', but a link or a file with this name exists.",
                        folder.string()),
            "Move it away, or name another output folder. To store the tiles on another drive, name a folder "
            "on that drive.");
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
            fmt::format("Cannot create the folder '{}': {}.", m_path.string(), failed.message()),
            "Name an output folder that you may write to.");
    readJob(); // before lock(), so that no lock file is created in a rejected folder
    lock();
    readJob();                                 // again, since another process may have created the job in the
                                               // meantime
    ScratchFolder::removeAbandoned(scratch()); // before any rank creates its own scratch folder
}

JobFolder::~JobFolder() {
    if (m_lock >= 0)
        ::close(m_lock); // closing the file releases the lock
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
        refuse(fmt::format("Cannot open the lock file '{}': {}.", file.string(),
                           descriptor < 0 ? std::strerror(errno) : "it is not a regular file"),
               "Name a writable output folder, or move the entry with this name away.");
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        const int code = errno;
        if (code == EWOULDBLOCK)
            refuse(fmt::format("Another process is using the folder '{}'.", m_path.string()),
                   "Wait until that process has finished, or stop it.");
        refuse(fmt::format("Cannot lock '{}': {}.", file.string(), std::strerror(code)),
               "Name an output folder on a drive that supports file locks.");
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
        if (isBlank(head) || head.starts_with("{\n \"program\": ")) // begins like the job file
            throw EngineError(fmt::format("The job file '{}' is damaged: {}", file.string(), error.what()),
                              "Restore a copy of the file, or name a new output folder to compute all "
                              "tiles again.");
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
            fmt::format("The folder '{}' contains the tiles of another survey, other parameters, or "
                        "another version of the program.",
                        m_path.string()),
            "Name another output folder.");
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
                fmt::format("The job writes to '{}', but it already exists and was not created by this job.",
                            (m_path / name).string()),
                "Move it away, or name another output folder.");
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
                fmt::format("Cannot create the folder '{}': {}.", folder.string(), failed.message()),
                "Name an output folder that you may write to.");
    }
}

void requireOutsideJob(const fs::path& folder, const std::vector<fs::path>& scans) {
    for (const char* name : kJobNames) {
        const fs::path written = resolvedPath(folder / name);
        for (const fs::path& scan : scans) {
            const fs::path read = resolvedPath(scan);
            if (std::ranges::mismatch(written, read).in1 == written.end())
                throw EngineError(fmt::format("The job would overwrite the input scan '{}'.", scan.string()),
                                  "Name another output folder, or move the scan.");
        }
    }
}

void requirePlainFile(const fs::path& file) {
    std::error_code unknown;
    const fs::file_type type = fs::symlink_status(file, unknown).type();
    if (type != fs::file_type::regular && type != fs::file_type::not_found)
        throw EngineError(
            fmt::format("The job writes a file '{}', but a link, folder or device with this name exists.",
                        file.string()),
            "Move it away, or name another output folder.");
}

} // namespace scanloupe
