#pragma once
// A fixed shuffle of any number of things, for host and device.
#include "kernels/synth/hash.h"

namespace scanloupe::test {

/// A permutation of [0, count): a Feistel network of four rounds that is iterated until the result is in
/// range.
HD inline std::uint64_t shuffledIndex(std::uint64_t i, std::uint64_t count) {
    int half = 1; // bits of each half of the network
    while ((std::uint64_t{1} << (2 * half)) < count)
        ++half;
    const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
    do {
        std::uint64_t left = i >> half, right = i & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            const std::uint64_t next = left ^ (synth::randomBits(7, round, right) & mask);
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= count);
    return i;
}

} // namespace scanloupe::test
