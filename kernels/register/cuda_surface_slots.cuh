#pragma once
// Inserts cells into the hash tables of surface maps on the GPU.
#include "kernels/register/surface_patch.h"

#include <cstdint>

namespace scanloupe::cuda {

/// Finds the slot of a cell, or claims an empty one. @param mask number of slots, a power of two, minus 1
__device__ inline std::uint64_t claimSlot(SurfaceSlot* slots, std::uint64_t mask, std::uint64_t key,
                                          bool& isNew) {
    std::uint64_t slot = ndtHash(key) & mask;
    isNew = false;
    for (;; slot = (slot + 1) & mask) {
        auto* const place = reinterpret_cast<unsigned long long*>(&slots[slot].key);
        std::uint64_t there = *reinterpret_cast<volatile unsigned long long*>(place);
        if (there == kNoNdtKey) {
            there = atomicCAS(place, kNoNdtKey, key);
            isNew = there == kNoNdtKey;
        }
        if (isNew || there == key)
            return slot;
    }
}

} // namespace scanloupe::cuda
