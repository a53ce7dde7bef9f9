#pragma once
#include <string_view>

namespace scanloupe {

/// True when `a` comes before `b` for people: frame2 before frame10.
bool naturallyBefore(std::string_view a, std::string_view b);

} // namespace scanloupe
