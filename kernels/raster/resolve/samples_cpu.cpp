// Generates sample offsets along the Halton sequence, and averages samples on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/raster/resolve/sample_element.h"

#include <cmath>
#include <string>

namespace scanloupe {

namespace {

constexpr std::size_t kSamplesGrain = std::size_t{1} << 16;

/// Returns the digits of `index` mirrored at the radix point (Van der Corput sequence).
double radicalInverse(int index, int base) {
    double value = 0, digit = 1.0 / base;
    for (int i = index; i > 0; i /= base, digit /= base)
        value += i % base * digit;
    return value;
}

} // namespace

SampleOffset sampleOffset(int index) {
    if (index == 0)
        return {0, 0};
    const auto place = [index](int base) {
        return static_cast<float>(std::round((radicalInverse(index, base) - 0.5) * 256) / 256);
    };
    return {place(2), place(3)};
}

void requireRoomFor(const SampleSums& sums, const Image& image) {
    if (sums.count > 0 && (image.width != sums.width || image.height != sums.height))
        throw KernelError("a sample (" + std::to_string(image.width) + " x " + std::to_string(image.height) +
                              " pixels) differs in size from the picture (" + std::to_string(sums.width) +
                              " x " + std::to_string(sums.height) + " pixels)",
                          "Draw the picture again.");
    if (sums.count >= kMaxSamples)
        throw KernelError("a picture can have at most " + std::to_string(kMaxSamples) + " samples",
                          "Use fewer samples.");
}

void requireSamples(const SampleSums& sums) {
    if (sums.count == 0)
        throw KernelError("a picture has no sample yet", "Draw the picture first.");
}

namespace cpu {

void addSample(SampleSums& sums, const Image& image, const std::stop_token& stop) {
    requireRoomFor(sums, image);
    const bool first = sums.count == 0;
    if (first)
        sums = {image.width, image.height, 0, Buffer<std::uint64_t>::host(image.pixels.size())};
    std::uint64_t* const to = sums.pixels.data();
    const std::uint32_t* const from = image.pixels.data();
    const int before = sums.count;
    sums.count = 0; // marks the sums invalid until the whole picture has been added
    parallelFor(image.pixels.size(), kSamplesGrain, stop, [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            to[i] = (first ? 0 : to[i]) + spreadChannels(from[i]);
    });
    sums.count = before + 1;
}

Image meanOfSamples(const SampleSums& sums, const std::stop_token& stop) {
    requireSamples(sums);
    Image image{sums.width, sums.height, Buffer<std::uint32_t>::host(sums.pixels.size())};
    std::uint32_t* const to = image.pixels.data();
    const std::uint64_t* const from = sums.pixels.data();
    const auto count = static_cast<std::uint32_t>(sums.count);
    parallelFor(sums.pixels.size(), kSamplesGrain, stop, [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            to[i] = meanColour(from[i], count);
    });
    return image;
}

} // namespace cpu

} // namespace scanloupe
