#pragma once
// Declares the cache of scans that are viewed one after another. The cache prefetches scans.
#include "engine/io/scan_input.h"
#include "engine/io/scan_list.h"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>

namespace scanloupe {

struct ReadOptions;

/// Cache of the scans of a sequence, or of several clouds. Within the memory budget, it holds the current
/// scan and the scans nearest to it, preferably the next ones. Thread-safe.
class ScanCache {
public:
    using Reader =
        std::function<ScanInput(const std::filesystem::path&, const ReadOptions&, const std::stop_token&)>;

    /// @param budget maximum size of the scans in memory, bytes; the current scan is kept even if it is
    /// larger
    /// @param changed called from any thread when a result of at() changes
    /// @param reader reads one file
    ScanCache(std::vector<std::filesystem::path> paths, std::uint64_t budget,
              std::function<void()> changed = {}, Reader reader = readInput);

    std::size_t size() const { return m_paths.size(); }
    const std::filesystem::path& path(std::size_t index) const { return m_paths[index]; }

    /// State of a file in the cache.
    struct State {
        bool held = false;                 ///< whether the scan is in memory
        std::optional<std::size_t> points; ///< point count; nullopt until the cloud was read
        std::string problem; ///< reason why the file can't be read; empty if it was read, or if reading
                             ///< was not tried yet
    };
    State at(std::size_t index) const;
    /// Returns the files that could not be read so far.
    std::vector<LeftOut> problems() const;
    std::uint64_t heldBytes() const;

    /// Makes the scan with this index the current one and returns it. Waits if the scan is being prefetched,
    /// and reads it if it is not in memory. @throws EngineError; Cancelled
    std::shared_ptr<const ScanInput> read(std::size_t index, const ReadOptions& options,
                                          const std::stop_token& stop);
    /// Files that a call of readAhead() reads.
    enum class Prefetch : std::uint8_t {
        all,
        small, ///< only small files: reading one mostly occupies a single core, so several calls can run at
               ///< once
    };
    /// Prefetches the scans nearest to the current one until `stop` is requested. Waits while there is
    /// nothing to read. One thread may call this for all files while other threads call it for small files.
    void readAhead(const std::stop_token& stop, Prefetch files = Prefetch::all);
    /// Returns the number of threads that may read small files. The other cores stay free for computing with
    /// the scans.
    static int smallFileReaders();

private:
    struct Entry {
        std::shared_ptr<const ScanInput> scan;
        std::optional<std::size_t> points;
        std::uint64_t bytes = 0;                ///< size in memory; 0 if unknown
        std::optional<std::uint64_t> fileBytes; ///< size of the file; nullopt until queried
        std::string problem;
        bool prefetching = false; ///< whether readAhead() is reading the scan
    };
    /// Returns the cyclic distance from the current scan; backward distances count double.
    std::size_t distance(std::size_t index) const;
    std::uint64_t expectedBytes(std::size_t index) const;
    /// Returns the scan to prefetch next; nullopt while the current scan is being read, or if no scan is
    /// missing.
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
    double m_maxExpansion = 1; ///< largest ratio so far of a scan's bytes in memory to the bytes of its file
};

} // namespace scanloupe
