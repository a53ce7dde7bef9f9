#pragma once
// Names of columns: from the many that programs write to the few that ours are called by.
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// `name` in lower case, without quotes, blanks and a leading comment mark, and without a unit in brackets.
std::string tidyName(std::string_view name);

/// The canonical name (x, y, z, intensity, time, ring, red, green, blue, alpha, normal_x, ...,
/// classification, sensor_x, ..., and those of LAS fields: return_number, ...) of each column where it has
/// one, else its own; made unique by a number where two are alike. r, g, b are colours only together.
std::vector<std::string> canonicalNames(const std::vector<std::string>& names);

/// What one of several values a point is called: velocity_x of three, pair_1 of two; the name itself of one.
std::string componentName(const std::string& name, std::size_t component, std::size_t components);

/// True for packed 32-bit colours: rgb and rgba.
bool isPackedColour(std::string_view name);

} // namespace scanloupe
