// Averages the samples of pixels on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/raster/resolve/sample_element.h"

namespace scanloupe::cuda {

namespace {

__global__ void addKernel(std::uint64_t* sums, const std::uint32_t* image, std::size_t count, bool first) {
    const std::size_t i = globalIndex();
    if (i < count)
        sums[i] = (first ? 0 : sums[i]) + spreadChannels(image[i]);
}

__global__ void meanKernel(std::uint32_t* image, const std::uint64_t* sums, std::size_t count,
                           std::uint32_t samples) {
    const std::size_t i = globalIndex();
    if (i < count)
        image[i] = meanColour(sums[i], samples);
}

} // namespace

void addSample(SampleSums& sums, const Image& image, StreamView stream) {
    requireRoomFor(sums, image);
    const std::size_t count = image.pixels.size();
    const bool first = sums.count == 0;
    if (first)
        sums = {image.width, image.height, 0, Buffer<std::uint64_t>::in(MemorySpace::device, count, stream)};
    launch("addKernel", count, stream, addKernel, sums.pixels.data(), image.pixels.data(), count, first);
    ++sums.count;
}

Image meanOfSamples(const SampleSums& sums, StreamView stream) {
    requireSamples(sums);
    const std::size_t count = sums.pixels.size();
    Image image{sums.width, sums.height, Buffer<std::uint32_t>::in(MemorySpace::device, count, stream)};
    launch("meanKernel", count, stream, meanKernel, image.pixels.data(), sums.pixels.data(), count,
           static_cast<std::uint32_t>(sums.count));
    return image;
}

} // namespace scanloupe::cuda
