#pragma once
// Declares a short name for the text of a coordinate system that can't be interpreted.
#include <string>

namespace scanloupe {

/// Returns the first quoted text, which is the name in well-known text, or else the beginning of the text; at
/// most 60 bytes.
std::string plainSystemName(const std::string& text);

} // namespace scanloupe
