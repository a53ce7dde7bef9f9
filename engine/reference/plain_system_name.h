#pragma once
// Declares a short name for the text of a coordinate system that can't be interpreted.
#include <string>

namespace scanloupe {

/// The first quoted text, which is the name in well-known text, else the beginning of the text; 60 bytes at
/// most.
std::string plainSystemName(const std::string& text);

} // namespace scanloupe
