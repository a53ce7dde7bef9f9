#pragma once
// Gathers the scalar values and colours of primitives from columns of data, and finds the value range that a
// colour map shows.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/raster/colours/value_element.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Marks an element without a value.
inline constexpr std::uint32_t kNoValueIndex = 0xffffffffu;

/// Classes by their codes, and the colour of each class.
struct ClassColumn {
    const std::uint32_t* codes = nullptr;   ///< [count]
    const std::uint32_t* colours = nullptr; ///< [K] RGBA
};

/// The range of the middle 96 % of some values.
struct ValueLimits {
    float low = 0, high = 1;
    bool operator==(const ValueLimits&) const = default;
};
/// The limits from the minimum and maximum finite value and those at the ranks of 2 % and 98 %. If the latter
/// are equal, the range from minimum to maximum.
ValueLimits valueLimits(float least, float low, float high, float greatest);

namespace cpu {
/// [count] the column's values.
Buffer<float> gatherValues(const ValueColumn& column, std::size_t count, const std::stop_token& stop);
/// [M] the column's value of each index; NaN for kNoValueIndex.
Buffer<float> gatherValues(const ValueColumn& column, std::span<const std::uint32_t> indices,
                           const std::stop_token& stop);
/// [count] RGBA
Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, std::size_t count,
                                    const std::stop_token& stop);
/// [M] RGBA of each index; 0 for kNoValueIndex. @throws Cancelled
Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, std::span<const std::uint32_t> indices,
                                    const std::stop_token& stop);
/// Same as above, for classes: the colour of each code's class.
Buffer<std::uint32_t> gatherColours(const ClassColumn& column, std::size_t count,
                                    const std::stop_token& stop);
/// [M] as above, of each index; 0 for kNoValueIndex.
Buffer<std::uint32_t> gatherColours(const ClassColumn& column, std::span<const std::uint32_t> indices,
                                    const std::stop_token& stop);
/// [K] 1 for each class that occurs among the [count] codes, otherwise 0. @param mask [count] codes with
/// kNoValueIndex here are ignored; or null @throws Cancelled
Buffer<std::uint8_t> presentClasses(const std::uint32_t* codes, const std::uint32_t* mask, std::size_t count,
                                    std::size_t classes, const std::stop_token& stop);
/// The limits of the finite values; 0 to 1 without any.
ValueLimits limitsOf(std::span<const float> values);
} // namespace cpu

/// Same as cpu, with the same results; all input is on the device. Asynchronous except for presentClasses and
/// limitsOf.
namespace cuda {
Buffer<float> gatherValues(const ValueColumn& column, std::size_t count, StreamView stream);
Buffer<float> gatherValues(const ValueColumn& column, const Buffer<std::uint32_t>& indices,
                           StreamView stream);
Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, std::size_t count, StreamView stream);
Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, const Buffer<std::uint32_t>& indices,
                                    StreamView stream);
Buffer<std::uint32_t> gatherColours(const ClassColumn& column, std::size_t count, StreamView stream);
Buffer<std::uint32_t> gatherColours(const ClassColumn& column, const Buffer<std::uint32_t>& indices,
                                    StreamView stream);
/// [K] on the host. @note Synchronizes with `stream`.
Buffer<std::uint8_t> presentClasses(const std::uint32_t* codes, const std::uint32_t* mask, std::size_t count,
                                    std::size_t classes, StreamView stream);
/// @note Synchronizes with `stream`.
ValueLimits limitsOf(const Buffer<float>& values, StreamView stream);
} // namespace cuda

} // namespace scanloupe
