#pragma once
// Declares a hash table of 64-bit keys into which all cores insert concurrently.
#include "kernels/core/buffer.h"
#include "kernels/core/parallel.h"

namespace scanloupe::cpu {

/// Open addressing with linear probing. The slot of a key depends on the order of the threads, so no result
/// may depend on slots: `sorted` gives a deterministic order.
class KeyHashTable {
public:
    static constexpr std::size_t kFull = ~std::size_t{0};

    /// @param capacity a power of two. @throws KernelError when out of memory, Cancelled
    KeyHashTable(std::size_t capacity, const std::stop_token& stop);

    std::size_t capacity() const { return m_keys.size(); }
    /// The slot of `key` (not 2^64 - 1), which is inserted if it is new; kFull when the table is too full.
    /// Thread-safe.
    std::size_t insert(std::uint64_t key);
    /// The slot of a key that was inserted before.
    std::size_t find(std::uint64_t key) const;
    /// The keys, ascending, each with its slot as index. @throws Cancelled
    Buffer<KeyIndex> sorted(int keyBits, const std::stop_token& stop) const;

private:
    std::size_t homeSlot(std::uint64_t key) const;

    Buffer<std::uint64_t> m_keys; // [capacity]
};

} // namespace scanloupe::cpu
