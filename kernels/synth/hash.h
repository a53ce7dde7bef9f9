#pragma once
// Generates counter-based random numbers. Each value is a function of a seed and a counter, so each point is
// generated independently of all others.
#include "kernels/core/mix_bits.h"

namespace scanloupe::synth {

/// Returns 64 random bits of stream `stream` at `counter`.
HD constexpr std::uint64_t randomBits(std::uint64_t seed, std::uint64_t stream, std::uint64_t counter) {
    const std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    return mixBits(mixBits(seed * golden + stream) + (counter + 1) * golden);
}

/// Returns the highest 53 bits as a number in [0, 1).
HD constexpr double uniform(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * (1.0 / 9007199254740992.0);
}

/// Maximum magnitude that `gaussian` returns, in standard deviations: sqrt(24).
inline constexpr double kGaussianBound = 4.898979485566357;

/// Returns a nearly normal number with mean 0 and standard deviation 1: the sum of eight 16-bit uniforms. Its
/// tails end below five standard deviations, which bounds measured errors; its excess kurtosis is -0.15.
HD constexpr double gaussian(std::uint64_t bitsA, std::uint64_t bitsB) {
    std::uint64_t sum = 0;
    for (int shift = 0; shift < 64; shift += 16) {
        sum += (bitsA >> shift) & 0xffffU;
        sum += (bitsB >> shift) & 0xffffU;
    }
    // Normalizes the sum of eight values k + 0.5 with k uniform in [0, 65535], which has mean 8 * 32768 and
    // variance 8 / 12 * 65536^2.
    return (static_cast<double>(sum) + 4.0 - 262144.0) * (1.2247448713915890 / 65536.0);
}

} // namespace scanloupe::synth
