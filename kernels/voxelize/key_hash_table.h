#pragma once
// A hash table of 64-bit keys that all cores insert into at once.
#include "kernels/core/buffer.h"
#include "kernels/core/parallel.h"

namespace scanloupe::cpu {

/// Open addressing with linear probing. Which slot a key gets depends on who came first, so nothing that
/// leaves this backend may: `sorted` gives an order that doesn't.
class KeyHashTable {
public:
    static constexpr std::size_t kFull = ~std::size_t{0};

    /// @param capacity a power of two. @throws KernelError when memory is short, Cancelled
    KeyHashTable(std::size_t capacity, const std::stop_token& stop);

    std::size_t capacity() const { return m_keys.size(); }
    /// The slot of `key` (not 2^64 - 1), from all cores; kFull when the table is too full to go on.
    std::size_t insert(std::uint64_t key);
    /// The slot of a key that was inserted.
    std::size_t find(std::uint64_t key) const;
    /// The keys, ascending, each with its slot as index. @throws Cancelled
    Buffer<KeyIndex> sorted(int keyBits, const std::stop_token& stop) const;

private:
    std::size_t homeSlot(std::uint64_t key) const;

    Buffer<std::uint64_t> m_keys; // [capacity]
};

} // namespace scanloupe::cpu
