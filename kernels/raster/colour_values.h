#pragma once
// Values and colours for each primitive, taken from where they lie, and the limits that a map shows.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/raster/value_cell.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Marks what has no value.
inline constexpr std::uint32_t kNoValueIndex = 0xffffffffu;

/// Where the middle 96 % of some values lie.
struct ValueLimits {
    float low = 0, high = 1;
    bool operator==(const ValueLimits&) const = default;
};
/// Of finite values by their ranks: the least, the one at 2 %, the one at 98 %, the greatest. Where the
/// middle ones are the same all are shown.
ValueLimits valueLimits(float least, float low, float high, float greatest);

namespace cpu {
/// [count] the column's values.
Buffer<float> takeValues(const ValueColumn& column, std::size_t count, const std::stop_token& stop);
/// [M] the column's value of each index; NaN for kNoValueIndex.
Buffer<float> takeValues(const ValueColumn& column, std::span<const std::uint32_t> indices,
                         const std::stop_token& stop);
/// [count] RGBA
Buffer<std::uint32_t> takeColours(const ColourColumns& columns, std::size_t count,
                                  const std::stop_token& stop);
/// [M] RGBA of each index. @throws Cancelled
Buffer<std::uint32_t> takeColours(const ColourColumns& columns, std::span<const std::uint32_t> indices,
                                  const std::stop_token& stop);
/// Of the values that are finite; 0 to 1 where there are none.
ValueLimits limitsOf(std::span<const float> values);
} // namespace cpu

/// The same on the device, with the same results; all lies there. Asynchronous but for limitsOf.
namespace cuda {
Buffer<float> takeValues(const ValueColumn& column, std::size_t count, StreamView stream);
Buffer<float> takeValues(const ValueColumn& column, const Buffer<std::uint32_t>& indices, StreamView stream);
Buffer<std::uint32_t> takeColours(const ColourColumns& columns, std::size_t count, StreamView stream);
Buffer<std::uint32_t> takeColours(const ColourColumns& columns, const Buffer<std::uint32_t>& indices,
                                  StreamView stream);
/// @note Synchronizes with `stream`.
ValueLimits limitsOf(const Buffer<float>& values, StreamView stream);
} // namespace cuda

} // namespace scanloupe
