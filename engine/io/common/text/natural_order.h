#pragma once
// Declares the natural sort order of file names.
#include <string_view>

namespace scanloupe {

/// Whether `a` precedes `b` in natural order, e.g. frame2 before frame10.
bool naturalLess(std::string_view a, std::string_view b);

} // namespace scanloupe
