// Shortens the text of a coordinate system.
#include "engine/cloud/reference/plain_system_name.h"

#include <algorithm>

namespace scanloupe {

std::string plainSystemName(const std::string& text) {
    constexpr std::size_t maxLength = 60;
    const std::size_t begin = text.find('"'), end = text.find('"', begin + 1);
    const bool quoted = begin != std::string::npos && end != std::string::npos;
    return quoted ? text.substr(begin + 1, std::min(end - begin - 1, maxLength)) : text.substr(0, maxLength);
}

} // namespace scanloupe
