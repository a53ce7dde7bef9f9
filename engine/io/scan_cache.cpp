// Caches the scans of a sequence, and prefetches the scans near the current one.
#include "engine/io/scan_cache.h"

#include "engine/cloud/error.h"
#include "engine/cloud/error_message.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <system_error>

namespace scanloupe {

namespace {

/// Interval at which waiting threads poll the stop token. A signal handler may request a stop, but can't
/// notify a condition variable.
constexpr std::chrono::milliseconds kPollInterval{20};

/// Maximum size of a small file, which is read concurrently with others since reading it mostly occupies a
/// single core.
constexpr std::uint64_t kSmallFile = std::uint64_t{16} << 20;

/// Returns the size of a file; 0 if unknown. The call may take seconds on a network drive, so it must not be
/// made while holding the lock.
std::uint64_t fileBytesOf(const std::filesystem::path& path) {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(path, error);
    return error ? 0 : bytes;
}

} // namespace

ScanCache::ScanCache(std::vector<std::filesystem::path> paths, std::uint64_t budget,
                     std::function<void()> changed, Reader reader)
    : m_paths(std::move(paths)), m_budget(budget), m_changed(std::move(changed)), m_reader(std::move(reader)),
      m_entries(m_paths.size()) {}

ScanCache::State ScanCache::at(std::size_t index) const {
    const std::lock_guard lock(m_mutex);
    const Entry& entry = m_entries[index];
    return {entry.scan != nullptr, entry.points, entry.problem};
}

std::vector<LeftOut> ScanCache::problems() const {
    const std::lock_guard lock(m_mutex);
    std::vector<LeftOut> problems;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (!m_entries[i].problem.empty())
            problems.push_back({m_paths[i], m_entries[i].problem});
    return problems;
}

std::uint64_t ScanCache::heldBytes() const {
    const std::lock_guard lock(m_mutex);
    std::uint64_t bytes = 0;
    for (const Entry& entry : m_entries)
        bytes += entry.scan ? entry.bytes : 0;
    return bytes;
}

std::shared_ptr<const ScanInput> ScanCache::read(std::size_t index, const ReadOptions& options,
                                                 const std::stop_token& stop) {
    {
        std::unique_lock lock(m_mutex);
        m_current = index;
        evict();
        m_stateChanged.notify_all();
        while (m_entries[index].prefetching) {
            if (stop.stop_requested())
                throw Cancelled();
            m_stateChanged.wait_for(lock, kPollInterval);
        }
        if (m_entries[index].scan)
            return m_entries[index].scan;
    }
    try {
        auto scan = std::make_shared<const ScanInput>(m_reader(m_paths[index], options, stop));
        store(index, scan);
        return scan;
    } catch (const Error& error) {
        storeFailure(index, error.what());
        throw;
    }
}

int ScanCache::smallFileReaders() {
    constexpr int coresAReader = 3, most = 4;
    return std::clamp(parallelThreads() / coresAReader - 1, 0, most);
}

void ScanCache::readAhead(const std::stop_token& stop, Prefetch files) {
    const std::uint64_t largest =
        files == Prefetch::small ? kSmallFile : std::numeric_limits<std::uint64_t>::max();
    while (!stop.stop_requested()) {
        std::optional<std::size_t> unknown, next;
        {
            std::unique_lock lock(m_mutex);
            next = nearestMissing();
            if (next && !m_entries[*next].fileBytes) {
                unknown = next;
            } else if (next && *m_entries[*next].fileBytes <= largest && fitsBudget(*next)) {
                m_entries[*next].prefetching = true;
            } else {
                m_stateChanged.wait_for(lock, kPollInterval);
                continue;
            }
        }
        if (!unknown) {
            prefetch(*next, stop);
            continue;
        }
        const std::uint64_t bytes = fileBytesOf(m_paths[*unknown]);
        const std::lock_guard lock(m_mutex);
        m_entries[*unknown].fileBytes = bytes;
    }
}

void ScanCache::prefetch(std::size_t index, const std::stop_token& stop) {
    try {
        store(index, std::make_shared<const ScanInput>(m_reader(m_paths[index], {}, stop)));
    } catch (...) { // whatever the exception, a waiting read() must be notified
        const ErrorMessage message = errorMessage(std::current_exception(), {});
        if (message.kind != ErrorMessage::Kind::cancelled)
            return storeFailure(index, message.sentence);
        const std::lock_guard lock(m_mutex);
        m_entries[index].prefetching = false;
    }
}

std::size_t ScanCache::distance(std::size_t index) const {
    const std::size_t ahead = (index + m_entries.size() - *m_current) % m_entries.size();
    return std::min(ahead, 2 * (m_entries.size() - ahead));
}

std::uint64_t ScanCache::expectedBytes(std::size_t index) const {
    const Entry& entry = m_entries[index];
    return entry.bytes > 0 ? entry.bytes
                           : std::uint64_t(m_maxExpansion * double(entry.fileBytes.value_or(0)));
}

std::optional<std::size_t> ScanCache::nearestMissing() const {
    if (!m_current || !m_entries[*m_current].scan)
        return std::nullopt; // read() loads the current scan first
    std::optional<std::size_t> nearest;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const Entry& entry = m_entries[i];
        const bool missing = !entry.scan && !entry.prefetching && entry.problem.empty();
        if (missing && (!nearest || distance(i) < distance(*nearest)))
            nearest = i;
    }
    return nearest;
}

bool ScanCache::fitsBudget(std::size_t index) const {
    std::uint64_t nearer = expectedBytes(index); // scans that are farther away will be evicted
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if ((m_entries[i].scan || m_entries[i].prefetching) && distance(i) <= distance(index))
            nearer += expectedBytes(i);
    return nearer <= m_budget;
}

void ScanCache::store(std::size_t index, std::shared_ptr<const ScanInput> scan) {
    const std::uint64_t file = fileBytesOf(m_paths[index]);
    {
        const std::lock_guard lock(m_mutex);
        Entry& entry = m_entries[index];
        entry.prefetching = false;
        entry.problem.clear();
        entry.bytes = std::max<std::uint64_t>(1, scan->bytes());
        if (scan->cloud)
            entry.points = scan->cloud->size();
        entry.fileBytes = file;
        if (file > 0)
            m_maxExpansion = std::max(m_maxExpansion, double(entry.bytes) / double(file));
        entry.scan = std::move(scan);
        evict();
        m_stateChanged.notify_all();
    }
    notifyChanged();
}

void ScanCache::storeFailure(std::size_t index, const std::string& why) {
    {
        const std::lock_guard lock(m_mutex);
        m_entries[index].prefetching = false;
        m_entries[index].problem = why;
        m_stateChanged.notify_all();
    }
    notifyChanged();
}

void ScanCache::evict() {
    std::vector<std::size_t> held;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        if (!m_entries[i].scan)
            continue;
        held.push_back(i);
        bytes += m_entries[i].bytes;
    }
    std::sort(held.begin(), held.end(),
              [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
    while (bytes > m_budget && !held.empty() && held.back() != *m_current) {
        bytes -= m_entries[held.back()].bytes;
        m_entries[held.back()].scan = nullptr;
        held.pop_back();
    }
}

void ScanCache::notifyChanged() const {
    if (m_changed)
        m_changed();
}

} // namespace scanloupe
