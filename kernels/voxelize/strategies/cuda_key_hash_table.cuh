#pragma once
// Implements a hash table of 64-bit keys in device memory, with open addressing and linear probing.
#include "kernels/core/mix_bits.h"
#include "kernels/voxelize/core/cuda_points.cuh"

namespace scanloupe::cuda {

inline constexpr Count kEmptyKey = ~Count{0}; ///< keys are below 2^63
inline constexpr std::uint32_t kNoSlot = 0xffffffffu;
/// Probes before a table counts as full. At half load, the longest run of a million keys has about 70 slots.
/// Near full load all runs are long, and growing is cheaper.
inline constexpr std::uint32_t kMaxProbes = 96;

struct KeyHashTable {
    Count* keys = nullptr;  ///< [mask + 1], initially kEmptyKey
    std::uint32_t mask = 0; ///< number of slots, a power of two, minus 1

    /// The slot of a key, or kNoSlot if it is absent.
    __device__ std::uint32_t find(std::uint64_t key) const {
        auto slot = static_cast<std::uint32_t>(mixBits(key)) & mask;
        for (std::uint32_t probe = 0; probe <= mask; ++probe, slot = (slot + 1) & mask) {
            const Count found = keys[slot];
            if (found == key)
                return slot;
            if (found == kEmptyKey)
                break;
        }
        return kNoSlot;
    }
    /// The slot of a key, which is inserted if it is new; kNoSlot when the table is too full.
    __device__ std::uint32_t insert(std::uint64_t key, std::uint32_t maxProbes = kMaxProbes) const {
        auto slot = static_cast<std::uint32_t>(mixBits(key)) & mask;
        for (std::uint32_t probe = 0; probe < maxProbes; ++probe, slot = (slot + 1) & mask) {
            // the key is usually present, and a read is cheaper than an atomic operation
            Count found = __ldcg(keys + slot);
            if (found == kEmptyKey)
                found = atomicCAS(keys + slot, kEmptyKey, static_cast<Count>(key));
            if (found == key || found == kEmptyKey)
                return slot;
        }
        return kNoSlot;
    }
};

/// Initial number of slots, for at most `most` keys: few, since the table grows.
inline std::uint32_t initialSlots(std::uint64_t most, std::uint32_t largest) {
    std::uint32_t slots = 1024;
    while (slots < largest && slots < 2 * most)
        slots *= 2;
    return slots;
}

} // namespace scanloupe::cuda
