// Places and moves sections.
#include "gui/tools/section_edits.h"

#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe::gui {

namespace {

/// Thick enough for the lines to represent the whole surface, and thin enough to look into.
double usualThickness(const Recipe& resolved) {
    constexpr double voxels = 10, part = 100; // voxels, and part of the longest edge of the range
    const Vec3d size = *resolved.voxelSize, extent = *resolved.rangeMax - *resolved.rangeMin;
    const double wanted = std::max(voxels * std::max({size.x, size.y, size.z}),
                                   std::max({extent.x, extent.y, extent.z}) / part);
    const double unit = std::pow(10.0, std::floor(std::log10(wanted)));
    for (const double nice : {1.0, 2.0, 5.0})
        if (nice * unit >= wanted * (1 - 1e-9))
            return nice * unit;
    return 10 * unit;
}

} // namespace

Section sectionAcross(Vec3d direction, const Recipe& resolved) {
    return {rangeBoxOf(resolved).middle(), normalized(direction), usualThickness(resolved)};
}

std::optional<Section> sectionThrough(Vec3d a, Vec3d b, Vec3d up, const Recipe& resolved) {
    const Vec3d along = b - a, across = cross(along, up);
    if (!(norm(across) > 1e-6 * norm(along)) || !isFinite(across))
        return std::nullopt;
    return Section{0.5 * (a + b), normalized(across), usualThickness(resolved)};
}

Section stepped(Section section, double times) {
    section.at = section.at + normalized(section.direction) * (times * section.thickness);
    return section;
}

SectionSpan spanOf(const Section& section, const Recipe& resolved) {
    const RangeBox box = rangeBoxOf(resolved);
    const Vec3d across = normalized(section.direction);
    SectionSpan span{std::numeric_limits<double>::max(), std::numeric_limits<double>::lowest()};
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d at = box.toFile({corner & 1 ? box.sides.max.x : box.sides.min.x,
                                     corner & 2 ? box.sides.max.y : box.sides.min.y,
                                     corner & 4 ? box.sides.max.z : box.sides.min.z});
        const double offset = dot(across, at - section.at);
        span.low = std::min(span.low, offset);
        span.high = std::max(span.high, offset);
    }
    return span;
}

} // namespace scanloupe::gui
