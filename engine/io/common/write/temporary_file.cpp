// Creates temporary files, renames them to their targets, and removes those of killed processes.
#include "engine/io/common/write/temporary_file.h"

#include "engine/io/common/write/own_files.h"
#include "engine/io/common/write/write_failure.h"
#include "kernels/core/sha256.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <mutex>
#include <random>
#include <set>
#include <span>
#include <string>
#include <unistd.h>

namespace scanloupe::detail {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".tmp";
constexpr std::size_t kDigits = 8; // hexadecimal digits for the host, and for a random number

fs::path folderOf(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Returns the prefix of temporary files of this host. Locks may not work across a network, so files of other
/// hosts could wrongly look abandoned.
const std::string& startOfNames() {
    static const std::string start = [] {
        std::array<char, 256> host{};
        ::gethostname(host.data(), host.size() - 1);
        std::string machine;
        std::ifstream("/etc/machine-id") >> machine;
        machine += host.data();
        Sha256 sum;
        sum.add(std::span<const char>(machine));
        const Sha256Digest digest = sum.digest();
        return fmt::format(".sl-{:02x}{:02x}{:02x}{:02x}-", digest[0], digest[1], digest[2], digest[3]);
    }();
    return start;
}

bool isNameOfThisHost(const std::string& name) {
    const std::string& start = startOfNames();
    return name.size() == start.size() + kDigits + std::string_view(kEnding).size() &&
           name.starts_with(start) && name.ends_with(kEnding) &&
           name.find_first_not_of("0123456789abcdef", start.size()) == start.size() + kDigits;
}

/// Whether this process has not removed abandoned files in this folder yet. This is the only mutable global
/// state of the process; it avoids searching a folder again for every file.
bool isFirstIn(const fs::path& folder) {
    static std::mutex mutex;
    static std::set<fs::path> searched;
    const std::lock_guard lock(mutex);
    return searched.insert(folder).second;
}

void removeAbandonedIn(const fs::path& folder) {
    std::error_code failed;
    if (!isFirstIn(fs::absolute(folder, failed).lexically_normal()))
        return;
    for (auto at = fs::directory_iterator(folder, failed); !failed && at != fs::directory_iterator();
         at.increment(failed)) {
        if (!isNameOfThisHost(at->path().filename().string()))
            continue;
        if (const int lock = lockAbandoned(at->path()); lock >= 0) {
            removeOwnFile(at->path());
            ::close(lock);
        }
    }
}

} // namespace

TemporaryFile::TemporaryFile(const fs::path& target, unsigned mode) : m_target(target) {
    removeAbandonedIn(folderOf(target));
    std::random_device random;
    // The name is short, so that it is valid wherever the target's name is.
    for (int attempt = 0; attempt < 100; ++attempt) {
        m_path = target.parent_path() / fmt::format("{}{:08x}{}", startOfNames(), random(), kEnding);
        m_descriptor = createOwned(m_path, mode);
        if (m_descriptor >= 0 || errno != EEXIST)
            break;
    }
    if (m_descriptor < 0)
        throwWriteFailure(target, errno);
}

TemporaryFile::~TemporaryFile() {
    if (!m_renamed)
        removeOwnFile(m_path);
    ::close(m_descriptor); // also releases the lock; the file has been renamed or removed before
}

int TemporaryFile::duplicate() const {
    const int descriptor = ::fcntl(m_descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor < 0)
        throwWriteFailure(m_target, errno);
    return descriptor;
}

void TemporaryFile::replaceTarget() {
    if (::rename(m_path.c_str(), m_target.c_str()) != 0)
        throwWriteFailure(m_target, errno);
    m_renamed = true;
    // Flushes the entry of the folder as well. If the file system can't, the file is written nevertheless.
    const int descriptor = ::open(folderOf(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::close(descriptor);
}

} // namespace scanloupe::detail
