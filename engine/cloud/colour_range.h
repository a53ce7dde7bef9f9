#pragma once
// Declares the full scale of a cloud's colours: the stored values of black and of full brightness.
#include <optional>
#include <span>

namespace scanloupe {
class Attribute;
struct ValueRange;
} // namespace scanloupe

namespace scanloupe::detail {

/// Returns the stored values of black and of full brightness; nullopt if red, green or blue is missing. The
/// range is the one declared by the file; else 0..255 for 8-bit types; else the smallest of 0..1 (floats),
/// 0..255 and 0..65535 that contains all but the brightest values. 16-bit colours that are nearly all below
/// 256 count as 8-bit colours, since many LAS writers store such values contrary to the standard.
std::optional<ValueRange> colourRange(std::span<const Attribute> attributes, std::size_t size);

} // namespace scanloupe::detail
