// Removes files that the program has created; files of ended processes are recognised by their locks.
#include "engine/io/common/write/own_files.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

/// Name of the marker file that identifies a folder as a ScratchFolder. Other folders may have similar names
/// and a file "lock".
constexpr const char* kProof = "scanloupe-scratch.lock";
constexpr std::size_t kRandomCharacters = 6; // appended by mkdtemp()

fs::path folderOf(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

std::vector<fs::path> entriesOf(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code failed;
    for (auto at = fs::directory_iterator(folder, failed); !failed && at != fs::directory_iterator();
         at.increment(failed))
        entries.push_back(at->path());
    return entries;
}

/// Whether a path is a folder and not a link to one.
bool isFolder(const fs::path& path) {
    std::error_code unknown;
    return fs::symlink_status(path, unknown).type() == fs::file_type::directory;
}

/// Returns the content of the marker file. It contains the path of the folder, so that a copy in another
/// folder is not valid.
std::string proofOf(const fs::path& folder) {
    return fmt::format("scanloupe scratch folder\n{}\n", folder.filename().string());
}

bool isProven(const fs::path& folder) {
    std::ifstream file(folder / kProof, std::ios::binary);
    const std::string expected = proofOf(folder);
    std::string content(expected.size() + 1, '\0');
    file.read(content.data(), std::streamsize(content.size()));
    content.resize(std::size_t(file.gcount()));
    return content == expected;
}

bool isFileOrLink(const fs::path& path) {
    std::error_code unknown;
    const fs::file_type type = fs::symlink_status(path, unknown).type();
    return type == fs::file_type::regular || type == fs::file_type::symlink;
}

/// Removes a scratch folder whose proof is locked by this process.
void removeScratch(const fs::path& folder, const IsOwn& isOwn) {
    for (const fs::path& entry : entriesOf(folder))
        if (entry.filename() != kProof && isFileOrLink(entry) && isOwn(entry))
            removeOwnFile(entry);
    removeOwnFile(folder / kProof);
    ::rmdir(folder.c_str()); // fails unless it is empty
}

} // namespace

std::string headOf(const fs::path& file) {
    std::error_code unknown;
    if (fs::symlink_status(file, unknown).type() != fs::file_type::regular)
        return {};
    std::string head(std::size_t{64} << 10, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(head.data(), std::streamsize(head.size()));
    head.resize(std::size_t(stream.gcount()));
    return head;
}

bool isBlank(std::string_view head) {
    return head.find_first_not_of('\0') == std::string_view::npos;
}

bool removeOwnFile(const fs::path& file) {
    return ::unlink(file.c_str()) == 0 || errno == ENOENT; // unlink() refuses folders
}

void removeOwnFiles(const fs::path& folder, const IsOwn& isOwn) {
    if (!isFolder(folder))
        return;
    for (const fs::path& entry : entriesOf(folder))
        if (!isOwn(entry))
            continue;
        else if (isFolder(entry))
            removeOwnFiles(entry, isOwn);
        else
            removeOwnFile(entry);
    ::rmdir(folder.c_str()); // fails unless it is empty
}

bool ScratchFolder::isScratchFile(const fs::path& path) {
    return path.extension() == ".scratch";
}

ScratchFolder::ScratchFolder(const fs::path& prefix, IsOwn isOwn) : m_isOwn(std::move(isOwn)) {
    constexpr int attempts = 100;
    int code = EEXIST;
    for (int attempt = 0; attempt < attempts && m_lock < 0 && code == EEXIST; ++attempt) {
        std::string name = prefix.string() + std::string(kRandomCharacters, 'X');
        const bool isMade = ::mkdtemp(name.data()) != nullptr;
        if (isMade)
            m_lock = detail::createOwned(fs::path(name) / kProof, 0600);
        code = m_lock < 0 ? errno : 0;
        const std::string proof = proofOf(name);
        if (m_lock >= 0 && ::write(m_lock, proof.data(), proof.size()) != ::ssize_t(proof.size())) {
            code = ENOSPC; // the most likely reason
            removeOwnFile(fs::path(name) / kProof);
            ::close(std::exchange(m_lock, -1));
        }
        if (isMade && m_lock < 0)
            ::rmdir(name.c_str());
        m_folder = name;
    }
    if (m_lock < 0)
        throw EngineError(fmt::format("Cannot create a folder for temporary files in '{}': {}.",
                                      folderOf(prefix).string(), std::strerror(code)),
                          "Choose a folder that you may write to, on a drive with free space.");
}

ScratchFolder::~ScratchFolder() {
    removeScratch(m_folder, m_isOwn);
    ::close(m_lock);
}

void ScratchFolder::removeAbandoned(const fs::path& prefix, const IsOwn& isOwn) {
    const std::string start = prefix.filename().string();
    for (const fs::path& folder : entriesOf(folderOf(prefix))) {
        const std::string name = folder.filename().string();
        if (!name.starts_with(start) || name.size() != start.size() + kRandomCharacters || !isFolder(folder))
            continue;
        struct stat info {};
        if (::lstat(folder.c_str(), &info) != 0 || info.st_uid != ::geteuid())
            continue;
        if (const int lock = detail::lockAbandoned(folder / kProof); lock >= 0) {
            if (isProven(folder))
                removeScratch(folder, isOwn);
            ::close(lock);
        }
    }
}

namespace detail {

int createOwned(const fs::path& file, unsigned mode) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, ::mode_t(mode));
    if (descriptor < 0)
        return -1;
    // On a drive without locks this is no error, since lockAbandoned() ignores files there.
    const bool isTaken = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    struct stat info {};
    if (!isTaken && ::lstat(file.c_str(), &info) == 0)
        return descriptor;
    ::close(descriptor);
    errno = EEXIST; // another process considered the file abandoned before it was locked
    return -1;
}

int lockAbandoned(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    struct stat opened {
    }, named{};
    const bool isOfThisUser =
        ::fstat(descriptor, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_uid == ::geteuid();
    // Before the lock was acquired, the name may have been reassigned or removed.
    if (isOfThisUser && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::lstat(file.c_str(), &named) == 0 &&
        named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
        return descriptor;
    ::close(descriptor);
    return -1;
}

} // namespace detail

} // namespace scanloupe
