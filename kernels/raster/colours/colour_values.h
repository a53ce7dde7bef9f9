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

/// Marks an element without a value in lists of indices.
inline constexpr std::uint32_t kNoValueIndex = 0xffffffffu;

/// Class code of each element, and the colour of each class.
struct ClassColumn {
    const std::uint32_t* codes = nullptr;   ///< [count] class of each element
    const std::uint32_t* colours = nullptr; ///< [K] RGBA of each class
};

/// Value range of the central 96 % of some values.
struct ValueLimits {
    float low = 0, high = 1;
    bool operator==(const ValueLimits&) const = default;
};
/// Returns the 2 % and 98 % quantiles, `low` and `high`, as limits; if these are equal, the finite minimum
/// and maximum, `least` and `greatest`.
ValueLimits valueLimits(float least, float low, float high, float greatest);

namespace cpu {
/// Returns the column's values, [count]. @throws Cancelled
Buffer<float> gatherValues(const ValueColumn& column, std::size_t count, const std::stop_token& stop);
/// Returns the column's value at each index, [M]; NaN for kNoValueIndex. @throws Cancelled
Buffer<float> gatherValues(const ValueColumn& column, std::span<const std::uint32_t> indices,
                           const std::stop_token& stop);
/// Returns the colours of the columns, [count] RGBA. @throws Cancelled
Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, std::size_t count,
                                    const std::stop_token& stop);
/// Returns the colour at each index, [M] RGBA; 0 for kNoValueIndex. @throws Cancelled
Buffer<std::uint32_t> gatherColours(const ColourColumns& columns, std::span<const std::uint32_t> indices,
                                    const std::stop_token& stop);
/// Returns the colour of each element's class, [count] RGBA. @throws Cancelled
Buffer<std::uint32_t> gatherColours(const ClassColumn& column, std::size_t count,
                                    const std::stop_token& stop);
/// Returns the class colour at each index, [M] RGBA; 0 for kNoValueIndex. @throws Cancelled
Buffer<std::uint32_t> gatherColours(const ClassColumn& column, std::span<const std::uint32_t> indices,
                                    const std::stop_token& stop);
/// Returns a flag per class, [K]: 1 if the class occurs among the codes, otherwise 0.
/// @param codes [count]
/// @param mask [count], or null; codes with kNoValueIndex here are ignored @throws Cancelled
Buffer<std::uint8_t> presentClasses(const std::uint32_t* codes, const std::uint32_t* mask, std::size_t count,
                                    std::size_t classes, const std::stop_token& stop);
/// Returns the limits of the finite values; 0 to 1 if no value is finite.
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
/// Same as cpu::presentClasses; the result is on the host. @note Synchronizes with `stream`.
Buffer<std::uint8_t> presentClasses(const std::uint32_t* codes, const std::uint32_t* mask, std::size_t count,
                                    std::size_t classes, StreamView stream);
/// Same as cpu::limitsOf. @note Synchronizes with `stream`.
ValueLimits limitsOf(const Buffer<float>& values, StreamView stream);
} // namespace cuda

} // namespace scanloupe
