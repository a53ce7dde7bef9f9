// Maps values to colours on the device, with one thread per value.
#include "kernels/core/cuda_check.h"
#include "kernels/raster/core/shade_element.h"
#include "kernels/raster/resolve/mapped_colours.h"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

/// The 256 colours of a colour map, as an argument of kernels.
struct MapSteps {
    std::uint32_t colours[256];
};

__global__ void mapColours(const float* values, std::size_t count, Colouring by, MapSteps map,
                           std::uint32_t* rgba) {
    const std::size_t i = globalIndex();
    by.map = map.colours;
    if (i < count)
        rgba[i] = mappedColour(by, values[i]);
}

} // namespace

Buffer<std::uint32_t> mappedColours(const Buffer<float>& values, const Colouring& by, StreamView stream) {
    auto rgba = Buffer<std::uint32_t>::in(MemorySpace::device, values.size(), stream);
    MapSteps steps;
    std::copy_n(by.map, 256, steps.colours);
    launch("mapColours", values.size(), stream, mapColours, values.data(), values.size(), by, steps,
           rgba.data());
    return rgba;
}

} // namespace scanloupe::cuda
