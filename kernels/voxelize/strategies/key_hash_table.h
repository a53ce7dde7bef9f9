#pragma once
// Declares a hash table of 64-bit keys into which all cores insert concurrently.
#include "kernels/core/buffer.h"
#include "kernels/core/parallel.h"

namespace scanloupe::cpu {

/// Hash table with open addressing and linear probing. The slot of a key depends on the order of the threads,
/// so no result may depend on slots; `sorted` returns a deterministic order.
class KeyHashTable {
public:
    static constexpr std::size_t kFull = ~std::size_t{0};

    /// Makes an empty table. @param capacity a power of two @throws KernelError when out of memory; Cancelled
    KeyHashTable(std::size_t capacity, const std::stop_token& stop);

    std::size_t capacity() const { return m_keys.size(); }
    /// Returns the slot of `key` (not 2^64 - 1), after inserting it if it is new; kFull if the table is too
    /// full. Thread-safe.
    std::size_t insert(std::uint64_t key);
    /// Returns the slot of a key that has been inserted.
    std::size_t find(std::uint64_t key) const;
    /// Returns the keys in ascending order, each with its slot as index. @throws Cancelled
    Buffer<KeyIndex> sorted(int keyBits, const std::stop_token& stop) const;

private:
    std::size_t homeSlot(std::uint64_t key) const;

    Buffer<std::uint64_t> m_keys; // [capacity] keys of the slots
};

} // namespace scanloupe::cpu
