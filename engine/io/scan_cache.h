#pragma once
// Declares the cache of scans that are viewed one after another, with prefetching.
#include "engine/io/scan_input.h"
#include "engine/io/scan_list.h"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>

namespace scanloupe {

struct ReadOptions;

/// Cache of the files of a sequence, or of several clouds. Holds as many as the memory budget permits: the
/// current file and its nearest neighbours, preferably the next ones. Thread-safe.
class ScanCache {
public:
    using Reader =
        std::function<ScanInput(const std::filesystem::path&, const ReadOptions&, const std::stop_token&)>;

    /// @param budget bytes of scans to hold; the current one is held whatever its size
    /// @param changed called from any thread when a result of at() changes
    /// @param reader reads one file
    ScanCache(std::vector<std::filesystem::path> paths, std::uint64_t budget,
              std::function<void()> changed = {}, Reader reader = readInput);

    std::size_t size() const { return m_paths.size(); }
    const std::filesystem::path& path(std::size_t index) const { return m_paths[index]; }

    /// The known state of a file.
    struct State {
        bool held = false;                 ///< in memory
        std::optional<std::size_t> points; ///< point count, once the cloud was read
        std::string problem;               ///< reason why the file can't be read; empty if it can, or was not
                                           ///< tried yet
    };
    State at(std::size_t index) const;
    /// Returns the files that could not be read so far.
    std::vector<LeftOut> problems() const;
    std::uint64_t heldBytes() const;

    /// Makes this scan the current one and returns it. Reads it if it is neither in memory nor being
    /// prefetched.
    /// @throws EngineError; Cancelled.
    std::shared_ptr<const ScanInput> read(std::size_t index, const ReadOptions& options,
                                          const std::stop_token& stop);
    /// Which files a call of readAhead() reads.
    enum class Prefetch : std::uint8_t {
        all,
        small, ///< files whose reading mostly occupies one core: several calls can share them
    };
    /// Prefetches the scans nearest to the current one until `stop` is requested; waits while there is
    /// nothing to read. One thread may call it for all files while others call it for small ones.
    void readAhead(const std::stop_token& stop, Prefetch files = Prefetch::all);
    /// Number of threads that may read small files; leaves cores for computing with the scans.
    static int smallFileReaders();

private:
    struct Entry {
        std::shared_ptr<const ScanInput> scan;
        std::optional<std::size_t> points;
        std::uint64_t bytes = 0;                ///< in memory, once known
        std::optional<std::uint64_t> fileBytes; ///< size of its file, once queried
        std::string problem;
        bool prefetching = false; ///< readAhead() is reading it
    };
    /// Cyclic distance from the current scan; backwards counts double.
    std::size_t distance(std::size_t index) const;
    std::uint64_t expectedBytes(std::size_t index) const;
    /// The scan to prefetch next; none while the current one is being read, or when none is missing.
    std::optional<std::size_t> nearestMissing() const;
    /// Whether a scan fits into the budget together with all nearer scans that are in memory or being
    /// prefetched.
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
    double m_maxExpansion = 1; ///< largest ratio so far of bytes in memory to bytes of the file
};

} // namespace scanloupe
