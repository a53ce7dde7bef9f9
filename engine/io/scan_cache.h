#pragma once
// Scans that are looked at one after the other: those that come next are read before they are wanted.
#include "engine/io/scan_input.h"
#include "engine/io/scan_list.h"

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>

namespace scanloupe {

/// The files of a sequence, or several clouds, with as many of them in memory as the budget has room for:
/// the current one and those nearest to it, the ones that come after it first. Safe from several threads.
class ScanCache {
public:
    using Reader =
        std::function<ScanInput(const std::filesystem::path&, const ReadOptions&, const std::stop_token&)>;

    /// `budget`: bytes of scans to hold; the current one is held whatever it takes. `changed` is called from
    /// any thread when at() would tell something else. `reader` reads one file.
    ScanCache(std::vector<std::filesystem::path> paths, std::uint64_t budget,
              std::function<void()> changed = {}, Reader reader = readInput);

    std::size_t size() const { return m_paths.size(); }
    const std::filesystem::path& path(std::size_t index) const { return m_paths[index]; }

    /// What is known of a file.
    struct State {
        bool held = false;                 ///< in memory
        std::optional<std::size_t> points; ///< of a cloud that was read once
        std::string problem;               ///< why it can't be read; empty: it can, or nobody tried yet
    };
    State at(std::size_t index) const;
    /// The files that could not be read so far.
    std::vector<LeftOut> problems() const;
    std::uint64_t heldBytes() const;

    /// Makes this scan the current one and gives it; reads it when it is neither held nor being read ahead.
    /// @throws EngineError; Cancelled.
    std::shared_ptr<const ScanInput> read(std::size_t index, const ReadOptions& options,
                                          const std::stop_token& stop);
    /// Reads those that come after the current one until `stop` says so; waits where there is nothing to do.
    /// For one thread.
    void readAhead(const std::stop_token& stop);

private:
    struct Entry {
        std::shared_ptr<const ScanInput> scan;
        std::optional<std::size_t> points;
        std::uint64_t bytes = 0;                ///< in memory, once known
        std::optional<std::uint64_t> fileBytes; ///< of its file, once somebody looked
        std::string problem;
        bool ahead = false; ///< readAhead() is at it
    };
    /// How far it is from the current one; going back counts double.
    std::size_t distance(std::size_t index) const;
    std::uint64_t expectedBytes(std::size_t index) const;
    /// The one to read next; none while the current one is read, or when all are there.
    std::optional<std::size_t> nearestMissing() const;
    /// Whether the budget has room for it beside what is nearer.
    bool fits(std::size_t index) const;
    void readOneAhead(std::size_t index, const std::stop_token& stop);
    void keep(std::size_t index, std::shared_ptr<const ScanInput> scan);
    void refuse(std::size_t index, const std::string& why);
    void trim();
    void tell() const;

    const std::vector<std::filesystem::path> m_paths;
    const std::uint64_t m_budget;
    const std::function<void()> m_changed;
    const Reader m_reader;
    mutable std::mutex m_mutex;
    std::condition_variable m_moved;
    std::vector<Entry> m_entries;
    std::optional<std::size_t> m_current;
    double m_bytesAByte = 1; ///< in memory for one in the file, the most that was seen
};

} // namespace scanloupe
