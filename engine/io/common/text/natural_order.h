#pragma once
// Declares the natural sort order of file names.
#include <string_view>

namespace scanloupe {

/// True when `a` precedes `b` in natural order: frame2 before frame10.
bool naturalLess(std::string_view a, std::string_view b);

} // namespace scanloupe
