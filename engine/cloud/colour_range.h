#pragma once
// Finds the full scale of a cloud's colours: the stored values of black and of full brightness.
#include <optional>
#include <span>

namespace scanloupe {
class Attribute;
struct ValueRange;
} // namespace scanloupe

namespace scanloupe::detail {

/// The stored values of black and of full brightness: the range that the file declares, else 0..255 for 8-bit
/// types, else the smallest of 0..1 (floats), 0..255 and 0..65535 that contains all but the brightest values.
/// 16-bit colours that are nearly all below 256 count as 8-bit ones: many LAS writers store these, against
/// the standard. nullopt if red, green or blue is missing.
std::optional<ValueRange> colourRange(std::span<const Attribute> attributes, std::size_t size);

} // namespace scanloupe::detail
