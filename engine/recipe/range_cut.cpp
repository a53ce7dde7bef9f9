// Rotates boxes about the up axis.
#include "engine/recipe/range_cut.h"

#include "engine/recipe/recipe.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe {

namespace {

struct Turn {
    int axis; ///< index of the coordinate
    double cosine, sine;
};

Turn turnOf(double degrees, UpAxis up) {
    const int axis = int(up) / 2;
    const double sign = int(up) % 2 == 0 ? 1 : -1; // the order of UpAxis is x, -x, y, -y, z, -z
    if (degrees == 0)
        return {axis, 1, 0};
    const double angle = degrees * sign * std::numbers::pi / 180;
    return {axis, std::cos(angle), std::sin(angle)};
}

Vec3d rotate(Vec3d v, const Turn& turn) {
    const int a = (turn.axis + 1) % 3, b = (turn.axis + 2) % 3;
    const Vec3d from = v;
    v[a] = turn.cosine * from[a] - turn.sine * from[b];
    v[b] = turn.sine * from[a] + turn.cosine * from[b];
    return v;
}

} // namespace

Vec3d RangeBox::turned(Vec3d direction) const {
    return rotate(direction, turnOf(rotation, up));
}

Bounds RangeBox::bounds() const {
    if (rotation == 0)
        return sides;
    const Vec3d half = 0.5 * (sides.max - sides.min);
    Vec3d reach; // components of the rotated half diagonals that extend farthest along each axis
    const auto [axis, cosine, sine] = turnOf(rotation, up);
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    reach[axis] = half[axis];
    reach[a] = std::abs(cosine) * half[a] + std::abs(sine) * half[b];
    reach[b] = std::abs(sine) * half[a] + std::abs(cosine) * half[b];
    return {middle() - reach, middle() + reach};
}

RangeBox rangeBoxOf(const Recipe& resolved) {
    return {
        {*resolved.rangeMin, *resolved.rangeMax}, resolved.rangeRotation, resolved.up.value_or(UpAxis::z)};
}

Bounds gridBounds(const Recipe& resolved) {
    return resolved.rangeInverted ? Bounds{*resolved.outerMin, *resolved.outerMax}
                                  : rangeBoxOf(resolved).bounds();
}

PointCut pointCut(const Recipe& resolved, Vec3d origin) {
    PointCut cut;
    cut.keepsOutside = resolved.rangeInverted;
    cut.hasBox = resolved.rangeInverted || resolved.rangeRotation != 0;
    if (cut.hasBox) {
        const RangeBox box = rangeBoxOf(resolved);
        const Turn turn = turnOf(box.rotation, box.up);
        cut.box = {(box.sides.min - origin).as<float>(),
                   (box.sides.max - origin).as<float>(),
                   (box.middle() - origin).as<float>(),
                   turn.axis,
                   float(turn.cosine),
                   float(turn.sine)};
    }
    cut.hasSlab = resolved.section.has_value();
    if (cut.hasSlab)
        cut.slab = {(resolved.section->at - origin).as<float>(),
                    normalized(resolved.section->direction).as<float>(),
                    float(0.5 * resolved.section->thickness)};
    return cut;
}

} // namespace scanloupe
