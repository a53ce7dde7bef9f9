// Formats coordinates with as many digits as the extent of the scan requires.
#include "engine/recipe/coordinate_text.h"

#include "engine/cloud/bounds.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

std::string coordinateText(Vec3d position, double extent) {
    constexpr int usual = 6, all = 17; // significant digits: the default of %g, and those of a double
    const auto digits = [extent](double value) {
        const double more = extent > 0 ? std::floor(std::log10(std::abs(value) / extent)) + 1 : 0;
        return more > 0 ? static_cast<int>(std::min<double>(usual + more, all)) : usual;
    };
    return fmt::format("{:.{}g},{:.{}g},{:.{}g}", position.x, digits(position.x), position.y,
                       digits(position.y), position.z, digits(position.z));
}

std::string coordinateText(const Bounds& box) {
    const Vec3d size = box.max - box.min;
    const double extent = std::max({size.x, size.y, size.z});
    return coordinateText(box.min, extent) + " to " + coordinateText(box.max, extent);
}

} // namespace scanloupe
