#pragma once
// Implements a hash table of 64-bit keys in device memory, with open addressing and linear probing.
#include "kernels/core/mix_bits.h"
#include "kernels/voxelize/core/cuda_points.cuh"

namespace scanloupe::cuda {

inline constexpr Count kEmptyKey = ~Count{0}; ///< keys are below 2^63
inline constexpr std::uint32_t kNoSlot = 0xffffffffu;
/// Probes before a table counts as full. At half load, the longest run of a million keys has about 70 slots.
/// Near full load all runs are long, and growing is cheaper.
inline constexpr std::uint32_t kMostProbes = 96;

struct KeyHashTable {
    Count* keys = nullptr;  ///< [mask + 1], initially kEmptyKey
    std::uint32_t mask = 0; ///< number of slots, a power of two, less 1

    /// The slot of a key, or kNoSlot where it is absent.
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
    /// The slot of a key, which is inserted where it is new; kNoSlot when the table is too full.
    __device__ std::uint32_t insert(std::uint64_t key, std::uint32_t mostProbes = kMostProbes) const {
        auto slot = static_cast<std::uint32_t>(mixBits(key)) & mask;
        for (std::uint32_t probe = 0; probe < mostProbes; ++probe, slot = (slot + 1) & mask) {
            Count found = __ldcg(keys + slot); // mostly the key is present: a read is cheaper than an atomic
            if (found == kEmptyKey)
                found = atomicCAS(keys + slot, kEmptyKey, static_cast<Count>(key));
            if (found == key || found == kEmptyKey)
                return slot;
        }
        return kNoSlot;
    }
};

/// Slots of the first table that is tried, for at most `most` keys: few, since it grows.
inline std::uint32_t initialSlots(std::uint64_t most, std::uint32_t largest) {
    std::uint32_t slots = 1024;
    while (slots < largest && slots < 2 * most)
        slots *= 2;
    return slots;
}

} // namespace scanloupe::cuda
