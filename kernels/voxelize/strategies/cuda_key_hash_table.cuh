#pragma once
// Implements a hash table of 64-bit keys in device memory, with open addressing and linear probing.
#include "kernels/core/mix_bits.h"
#include "kernels/voxelize/core/cuda_points.cuh"

namespace scanloupe::cuda {

inline constexpr Count kEmptyKey = ~Count{0}; ///< marks an empty slot: valid keys are below 2^63
inline constexpr std::uint32_t kNoSlot = 0xffffffffu;
/// Number of probes after which a table counts as full. At half load, the longest run of a million keys has
/// about 70 slots. Near full load all runs are long, and enlarging the table is cheaper.
inline constexpr std::uint32_t kMaxProbes = 96;

struct KeyHashTable {
    Count* keys = nullptr;  ///< [mask + 1] keys of the slots, initially kEmptyKey
    std::uint32_t mask = 0; ///< number of slots, a power of two, minus 1

    /// Returns the slot of a key, or kNoSlot if the key is absent.
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
    /// Returns the slot of a key, after inserting the key if it is new; kNoSlot if the table is too full.
    __device__ std::uint32_t insert(std::uint64_t key, std::uint32_t maxProbes = kMaxProbes) const {
        auto slot = static_cast<std::uint32_t>(mixBits(key)) & mask;
        for (std::uint32_t probe = 0; probe < maxProbes; ++probe, slot = (slot + 1) & mask) {
            // the key is usually present already, and a read is cheaper than an atomic operation
            Count found = __ldcg(keys + slot);
            if (found == kEmptyKey)
                found = atomicCAS(keys + slot, kEmptyKey, static_cast<Count>(key));
            if (found == key || found == kEmptyKey)
                return slot;
        }
        return kNoSlot;
    }
};

/// Returns the initial number of slots of a table for at most `most` keys: few slots, since the table grows.
inline std::uint32_t initialSlots(std::uint64_t most, std::uint32_t largest) {
    std::uint32_t slots = 1024;
    while (slots < largest && slots < 2 * most)
        slots *= 2;
    return slots;
}

} // namespace scanloupe::cuda
