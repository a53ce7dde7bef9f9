// Formats and parses the title of STL files.
#include "engine/io/stl/stl_format.h"

#include "engine/io/text/text_tokens.h"

#include <cmath>
#include <fmt/format.h>

namespace scanloupe::detail {

namespace {

constexpr std::string_view kName = "Scanloupe", kRelativeTo = "relative to ";

} // namespace

std::string originText(Vec3d origin) {
    const std::string text = fmt::format("{} {} {}", origin.x, origin.y, origin.z);
    const bool fits = kRelativeTo.size() + text.size() <= kStlTitleBytes;
    return fits ? text : fmt::format("{:.15g} {:.15g} {:.15g}", origin.x, origin.y, origin.z);
}

std::string stlTitle(Vec3d origin) {
    std::string title(kName);
    if (!(origin == Vec3d{})) {
        const std::string place = std::string(kRelativeTo) + originText(origin);
        title = title.size() + 2 + place.size() <= kStlTitleBytes ? title + ", " + place : place;
    }
    return title;
}

std::optional<Vec3d> stlOrigin(std::string_view title) {
    const std::string named = std::string(kName) + ", ";
    if (title.starts_with(named))
        title.remove_prefix(named.size());
    if (!title.starts_with(kRelativeTo))
        return std::nullopt;
    const auto words = splitTokens(title.substr(kRelativeTo.size()), ' ');
    double values[3] = {};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        TextNumber number;
        if (words.size() != 3 || !isNumber(words[axis], number) || !std::isfinite(number.value))
            return std::nullopt;
        values[axis] = number.value;
    }
    return Vec3d{values[0], values[1], values[2]};
}

} // namespace scanloupe::detail
