#pragma once
// The full scale of a cloud's colours.
#include "engine/cloud/point_cloud.h"

#include <optional>
#include <span>

namespace scanloupe::detail {

/// What the darkest and the brightest red, green and blue are stored as: the range that the file declares,
/// else that of the number type, else a range that all but a few of the brightest values lie in. 16-bit
/// colours count as 8-bit ones where nearly all lie below 256, which many LAS writers do against the
/// standard. Without a value where an attribute of red, green, blue is missing.
std::optional<ValueRange> colourRange(std::span<const Attribute> attributes, std::size_t size);

} // namespace scanloupe::detail
