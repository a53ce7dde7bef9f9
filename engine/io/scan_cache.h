#pragma once
// Declares the cache of scans that are viewed one after another, with prefetching of the next ones.
#include "engine/io/scan_input.h"
#include "engine/io/scan_list.h"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>

namespace scanloupe {

/// Cache of the files of a sequence, or of several clouds. It holds as many of them as the memory budget
/// permits: the current one and its nearest neighbours, with preference for the next ones. Thread-safe.
class ScanCache {
public:
    using Reader =
        std::function<ScanInput(const std::filesystem::path&, const ReadOptions&, const std::stop_token&)>;

    /// `budget`: bytes of scans to hold; the current one is held whatever its size. `changed` is called from
    /// any thread when a result of at() changes. `reader` reads one file.
    ScanCache(std::vector<std::filesystem::path> paths, std::uint64_t budget,
              std::function<void()> changed = {}, Reader reader = readInput);

    std::size_t size() const { return m_paths.size(); }
    const std::filesystem::path& path(std::size_t index) const { return m_paths[index]; }

    /// The known state of a file.
    struct State {
        bool held = false;                 ///< in memory
        std::optional<std::size_t> points; ///< of a cloud that was read once
        std::string problem;               ///< why it can't be read; empty: it can, or was not tried yet
    };
    State at(std::size_t index) const;
    /// The files that could not be read so far.
    std::vector<LeftOut> problems() const;
    std::uint64_t heldBytes() const;

    /// Makes this scan the current one and returns it; reads it when it is neither held nor being prefetched.
    /// @throws EngineError; Cancelled.
    std::shared_ptr<const ScanInput> read(std::size_t index, const ReadOptions& options,
                                          const std::stop_token& stop);
    /// Which files a call of readAhead() reads.
    enum class Prefetch : std::uint8_t {
        all,
        small, ///< those that one core reads, mostly: several calls can share them
    };
    /// Prefetches the scans nearest to the current one until `stop` is requested; waits while there is
    /// nothing to read. One thread may call it for all files, others for small ones beside it.
    void readAhead(const std::stop_token& stop, Prefetch files = Prefetch::all);
    /// How many threads may read small files, and leave cores to those who compute with the scans.
    static int smallFileReaders();

private:
    struct Entry {
        std::shared_ptr<const ScanInput> scan;
        std::optional<std::size_t> points;
        std::uint64_t bytes = 0;                ///< in memory, once known
        std::optional<std::uint64_t> fileBytes; ///< of its file, once queried
        std::string problem;
        bool prefetching = false; ///< readAhead() is reading it
    };
    /// Cyclic distance from the current scan; backwards counts double.
    std::size_t distance(std::size_t index) const;
    std::uint64_t expectedBytes(std::size_t index) const;
    /// The scan to prefetch next; none while the current one is being read, or when none is missing.
    std::optional<std::size_t> nearestMissing() const;
    /// Whether it fits into the budget together with the scans that are nearer, held or being prefetched.
    bool fitsBudget(std::size_t index) const;
    void prefetch(std::size_t index, const std::stop_token& stop);
    void store(std::size_t index, std::shared_ptr<const ScanInput> scan);
    void storeFailure(std::size_t index, const std::string& why);
    void evict();
    void notifyChanged() const;

    const std::vector<std::filesystem::path> m_paths;
    const std::uint64_t m_budget;
    const std::function<void()> m_changed;
    const Reader m_reader;
    mutable std::mutex m_mutex;
    std::condition_variable m_stateChanged;
    std::vector<Entry> m_entries;
    std::optional<std::size_t> m_current;
    double m_maxExpansion = 1; ///< bytes in memory per byte of file, the largest ratio so far
};

} // namespace scanloupe
