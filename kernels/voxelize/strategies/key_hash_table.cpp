// Implements the concurrent hash table of keys on the CPU.
#include "kernels/voxelize/strategies/key_hash_table.h"

#include <atomic>

namespace scanloupe::cpu {

namespace {
constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
constexpr std::size_t kKeyHashTableGrain = std::size_t{1} << 18; // number of slots per chunk
/// Number of probes after which a table counts as full. A table of 10^7 keys has runs of this length at a
/// load of about 70 %; at 50 %, the longest runs have 80 slots.
constexpr int kMaxProbes = 256;
} // namespace

KeyHashTable::KeyHashTable(std::size_t capacity, const std::stop_token& stop)
    : m_keys(Buffer<std::uint64_t>::host(capacity)) {
    parallelFor(capacity, kKeyHashTableGrain, stop, [&](std::size_t begin, std::size_t end) {
        std::fill(m_keys.data() + begin, m_keys.data() + end, kEmpty);
    });
}

std::size_t KeyHashTable::homeSlot(std::uint64_t key) const {
    // the finalizer of MurmurHash3 (Austin Appleby, public domain), which scatters neighbouring keys
    key = (key ^ (key >> 33)) * 0xff51afd7ed558ccdULL;
    key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return (key ^ (key >> 33)) & (capacity() - 1);
}

std::size_t KeyHashTable::insert(std::uint64_t key) {
    std::size_t slot = homeSlot(key);
    for (int probe = 0; probe < kMaxProbes; ++probe, slot = (slot + 1) & (capacity() - 1)) {
        const std::atomic_ref<std::uint64_t> held(m_keys[slot]);
        std::uint64_t found = held.load(std::memory_order_relaxed);
        if (found == kEmpty && held.compare_exchange_strong(found, key, std::memory_order_relaxed))
            return slot;
        if (found == key)
            return slot;
    }
    return kFull;
}

std::size_t KeyHashTable::find(std::uint64_t key) const {
    std::size_t slot = homeSlot(key);
    while (m_keys[slot] != key)
        slot = (slot + 1) & (capacity() - 1);
    return slot;
}

Buffer<KeyIndex> KeyHashTable::sorted(int keyBits, const std::stop_token& stop) const {
    std::vector<std::size_t> starts(chunkCount(capacity(), kKeyHashTableGrain));
    parallelChunks(capacity(), kKeyHashTableGrain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       const auto empty = std::count(m_keys.data() + begin, m_keys.data() + end, kEmpty);
                       starts[chunk] = end - begin - static_cast<std::size_t>(empty);
                   });
    const std::size_t taken = exclusiveScan(std::span(starts));
    auto items = Buffer<KeyIndex>::host(taken), scratch = Buffer<KeyIndex>::host(taken);
    parallelChunks(capacity(), kKeyHashTableGrain, stop,
                   [&](std::size_t chunk, std::size_t begin, std::size_t end) {
                       KeyIndex* out = items.data() + starts[chunk];
                       for (std::size_t slot = begin; slot < end; ++slot)
                           if (m_keys[slot] != kEmpty)
                               *out++ = {m_keys[slot], slot};
                   });
    parallelSortByKey(items.span(), scratch.span(), keyBits, stop);
    return items;
}

} // namespace scanloupe::cpu
