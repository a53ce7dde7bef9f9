#pragma once
// Supersamples pictures: several samples per pixel at subpixel offsets, and their mean. Edges are
// antialiased, and details finer than a pixel contribute by their area.
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe {

inline constexpr int kMaxSamples = 64;

/// Position of sample `index` of each pixel, in pixels from its centre, for Projection::sampledAt. The first
/// one lies at the centre; any number of first samples is spread evenly (Halton, 1960).
struct SampleOffset {
    float x, y; ///< (-0.5, 0.5), multiples of 1 / 256
};
SampleOffset sampleOffset(int index);

/// Sums of the colours of several pictures of one size.
struct SampleSums {
    int width = 0, height = 0;
    int count = 0;                ///< number of pictures so far
    Buffer<std::uint64_t> pixels; ///< [height, width] R, G, B and A of 16 bits each, from the lowest
};

namespace cpu {
/// Adds a picture; the first one gives the size. @throws KernelError for one of another size, or too many;
/// Cancelled, which invalidates the sums.
void addSample(SampleSums& sums, const Image& image, const std::stop_token& stop);
/// The mean of the added pictures, each channel rounded to the nearest integer. @throws KernelError for none;
/// Cancelled.
Image meanOfSamples(const SampleSums& sums, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu, bit for bit; sums and images are on the device. Asynchronous.
void addSample(SampleSums& sums, const Image& image, StreamView stream);
Image meanOfSamples(const SampleSums& sums, StreamView stream);
} // namespace cuda

} // namespace scanloupe
