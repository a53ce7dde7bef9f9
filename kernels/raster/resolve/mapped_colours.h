#pragma once
// Declares the mapping of values to the colours of pictures.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/raster/core/raster_scene.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

namespace cpu {
/// Returns the colours of values by the map, limits and uniform colour of a colouring, [count] RGBA.
/// @param by its map is on the host @throws Cancelled
Buffer<std::uint32_t> mappedColours(std::span<const float> values, const Colouring& by,
                                    const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::mappedColours, with an identical result; the values are on the device. Asynchronous.
Buffer<std::uint32_t> mappedColours(const Buffer<float>& values, const Colouring& by, StreamView stream);
} // namespace cuda

} // namespace scanloupe
