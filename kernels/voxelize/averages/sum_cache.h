#pragma once
// Caches sums per thread, in front of a table of sums that all cores add to.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace scanloupe::cpu {

/// Adds rows of K integers to a table that other threads add to as well. Recently used rows are cached:
/// points of one voxel are adjacent or recur one scan line later, and a voxel with many points must not cause
/// contention. Sums are exact, so their order does not matter.
template <std::size_t K>
class SumCache {
public:
    using Row = std::array<std::uint64_t, K>;

    explicit SumCache(std::uint64_t* table) : m_table(table) {}
    SumCache(const SumCache&) = delete;
    SumCache& operator=(const SumCache&) = delete;
    /// Flushes the cache. The table is complete once all its caches are destroyed.
    ~SumCache() {
        for (const Entry& entry : m_entries)
            flush(entry);
    }

    void add(std::uint32_t row, const Row& values) {
        Entry& entry = m_entries[row % kEntries];
        if (entry.row != row) {
            flush(entry);
            // prefetch, since the row is flushed many points later
            __builtin_prefetch(m_table + std::size_t{row} * K, 1);
            entry = {row, values};
            return;
        }
        for (std::size_t k = 0; k < K; ++k)
            entry.sums[k] += values[k];
    }

private:
    static constexpr std::size_t kEntries = 512; // about the capacity of the first-level cache
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
    static constexpr std::uint64_t kBusy = ~std::uint64_t{0}; // value of a row's first sum while the row is
                                                              // locked
    struct Entry {
        std::uint32_t row = kNone;
        Row sums{};
    };

    void flush(const Entry& entry) {
        if (entry.row == kNone)
            return;
        std::uint64_t* sums = m_table + std::size_t{entry.row} * K;
        const std::atomic_ref<std::uint64_t> first(sums[0]);
        if constexpr (K == 1) {
            first.fetch_add(entry.sums[0], std::memory_order_relaxed);
        } else { // one locked instruction instead of K
            std::uint64_t sum = first.exchange(kBusy, std::memory_order_acquire);
            for (; sum == kBusy; sum = first.exchange(kBusy, std::memory_order_acquire))
                std::this_thread::yield(); // the lock is held for few instructions, unless the locking thread
                                           // was preempted
            for (std::size_t k = 1; k < K; ++k)
                sums[k] += entry.sums[k];
            first.store(sum + entry.sums[0], std::memory_order_release);
        }
    }

    std::uint64_t* m_table; // [rows, K]
    std::array<Entry, kEntries> m_entries;
};

} // namespace scanloupe::cpu
