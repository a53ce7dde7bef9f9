#pragma once
// Maps the column names that programs write to canonical attribute names.
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// `name` in lower case, without quotes, blanks and a leading comment mark, and without a unit in brackets.
std::string tidyName(std::string_view name);

/// The canonical name of each column (x, y, z, intensity, time, ring, red, green, blue, alpha, normal_x, ...,
/// classification, sensor_x, ..., and those of LAS fields: return_number, ...), or its own name where there
/// is none. A number makes duplicates unique. r, g, b are colours only together, e and n axes only together.
std::vector<std::string> canonicalNames(const std::vector<std::string>& names);

/// True when longitude and latitude are among the names.
bool areGeographic(const std::vector<std::string>& names);

/// The name of one component of a vector attribute: velocity_x of three, pair_1 of two; `name` itself of one.
std::string componentName(const std::string& name, std::size_t component, std::size_t components);

/// True for packed 32-bit colours: rgb and rgba.
bool isPackedColour(std::string_view name);

} // namespace scanloupe
