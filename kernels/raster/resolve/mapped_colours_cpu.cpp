// Maps values to colours on all cores.
#include "kernels/core/parallel.h"
#include "kernels/raster/core/shade_element.h"
#include "kernels/raster/resolve/mapped_colours.h"

namespace scanloupe::cpu {

Buffer<std::uint32_t> mappedColours(std::span<const float> values, const Colouring& by,
                                    const std::stop_token& stop) {
    auto rgba = Buffer<std::uint32_t>::host(values.size());
    parallelFor(values.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            rgba[i] = mappedColour(by, values[i]);
    });
    return rgba;
}

} // namespace scanloupe::cpu
