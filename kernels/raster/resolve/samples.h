#pragma once
// Supersamples pictures: several samples a pixel at subpixel offsets, and their mean. Edges are antialiased,
// and details finer than a pixel contribute by their share of it.
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe {

inline constexpr int kMostSamples = 64;

/// Where sample `index` of each pixel looks, in pixels from its centre, for Projection::sampledAt. The first
/// looks at the centre; whenever one stops, those so far are spread evenly (Halton, 1960).
struct SampleOffset {
    float x, y; ///< (-0.5, 0.5), multiples of 1 / 256
};
SampleOffset sampleOffset(int index);

/// Colours of several pictures of one size, added up.
struct SampleSums {
    int width = 0, height = 0;
    int count = 0;                ///< pictures so far
    Buffer<std::uint64_t> pixels; ///< [height, width] R, G, B and A of 16 bits each, from the lowest
};

namespace cpu {
/// Adds a picture; the first one gives the size. @throws KernelError for one of another size, or too many;
/// Cancelled: the sums are lost then.
void addSample(SampleSums& sums, const Image& image, const std::stop_token& stop);
/// The mean of what was added, each channel rounded to the nearest. @throws KernelError for none; Cancelled.
Image meanOfSamples(const SampleSums& sums, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As on the CPU, to the last bit; sums and images lie on the device. Asynchronous.
void addSample(SampleSums& sums, const Image& image, StreamView stream);
Image meanOfSamples(const SampleSums& sums, StreamView stream);
} // namespace cuda

} // namespace scanloupe
