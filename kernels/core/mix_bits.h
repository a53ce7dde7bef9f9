#pragma once
// Defines a hash function of 64-bit words.
#include "kernels/core/hd.h"

#include <cstdint>

namespace scanloupe {

/// Returns a hash of a 64-bit word. It is a bijection in which every input bit affects all output bits (the
/// finalizer of SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
HD constexpr std::uint64_t mixBits(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

} // namespace scanloupe
