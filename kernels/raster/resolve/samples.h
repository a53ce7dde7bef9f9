#pragma once
// Supersamples pictures: several samples per pixel at subpixel offsets, and their mean. Edges are
// antialiased, and details finer than a pixel contribute by their area.
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe {

inline constexpr int kMaxSamples = 64;

/// Offset of sample `index` of each pixel, in pixels from the pixel's centre, for Projection::sampledAt.
/// Sample 0 is at the centre; the first n samples are evenly distributed for any n (Halton, 1960).
struct SampleOffset {
    float x, y; ///< within (-0.5, 0.5); multiples of 1 / 256
};
SampleOffset sampleOffset(int index);

/// Sums of the colours of several pictures of equal size.
struct SampleSums {
    int width = 0, height = 0;
    int count = 0;                ///< number of pictures added
    Buffer<std::uint64_t> pixels; ///< [height, width] sums of R, G, B and A, 16 bits each, from the lowest
                                  ///< bits on
};

namespace cpu {
/// Adds a picture; the first one determines the size. @throws KernelError for a picture of another size, or
/// too many pictures; Cancelled, which invalidates the sums
void addSample(SampleSums& sums, const Image& image, const std::stop_token& stop);
/// Returns the mean of the added pictures, each channel rounded to the nearest integer. @throws KernelError
/// without pictures; Cancelled
Image meanOfSamples(const SampleSums& sums, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu, with identical bits; sums and images are on the device. Asynchronous.
void addSample(SampleSums& sums, const Image& image, StreamView stream);
Image meanOfSamples(const SampleSums& sums, StreamView stream);
} // namespace cuda

} // namespace scanloupe
