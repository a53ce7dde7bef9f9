#pragma once
// Declares the mapping of column names of other programs to canonical attribute names.
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Converts `name` to lower case, and removes quotes, blanks, a leading comment mark and a unit in brackets.
std::string tidyName(std::string_view name);

/// Returns the canonical name of each column (x, y, z, intensity, time, ring, red, green, blue, alpha,
/// normal_x, ..., classification, sensor_x, ..., and names of LAS fields: return_number, ...), or its own
/// name if there is none. A number is appended to duplicates. r, g and b are colours only if all three exist;
/// e and n are axes only if both exist.
std::vector<std::string> canonicalNames(const std::vector<std::string>& names);

/// Whether longitude and latitude are among the names.
bool areGeographic(const std::vector<std::string>& names);

/// Returns the name of a component of a vector attribute, e.g. velocity_x of three components, pair_1 of two;
/// `name` itself for a single component.
std::string componentName(const std::string& name, std::size_t component, std::size_t components);

/// Whether a name is that of packed 32-bit colours: rgb or rgba.
bool isPackedColour(std::string_view name);

} // namespace scanloupe
