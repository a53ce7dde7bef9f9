#pragma once
// Accumulates and averages samples of a pixel, for both backends.
#include "kernels/core/hd.h"
#include "kernels/raster/resolve/samples.h"

#include <cstdint>

namespace scanloupe {

static_assert(kMaxSamples * 255 < 1 << 16, "sums fit their 16 bits");

/// Spreads the four channels of a colour to 16 bits each.
HD inline std::uint64_t spreadChannels(std::uint32_t rgba) {
    const std::uint64_t low = rgba & 0xffffu, high = rgba >> 16;
    return (low & 0xffu) | (low & 0xff00u) << 8 | (high & 0xffu) << 32 | (high & 0xff00u) << 40;
}

HD inline std::uint32_t meanColour(std::uint64_t sums, std::uint32_t count) {
    std::uint32_t rgba = 0;
    for (int i = 0; i < 4; ++i) {
        const auto sum = static_cast<std::uint32_t>(sums >> (16 * i) & 0xffffu);
        rgba |= (2 * sum + count) / (2 * count) << (8 * i);
    }
    return rgba;
}

/// Checks that sums match an image in size and have room for one more. @throws KernelError
void requireRoomFor(const SampleSums& sums, const Image& image);
void requireSamples(const SampleSums& sums);

} // namespace scanloupe
