// Computes the planes of triangles, and initializes groups of points.
#include "kernels/mesh/distance/point_group.h"

#include <algorithm>

namespace scanloupe::cpu {

TriangleSlabs slabsOf(Vec3f a, Vec3f b, Vec3f c, std::uint32_t id) {
    // sine of the smallest angle for which the planes are accurate
    constexpr double narrowest = 1e-6;
    TriangleSlabs slabs{a, b, c, {}, {}, {}, {}, 0, id};
    const Vec3d ab = b.as<double>() - a.as<double>(), bc = c.as<double>() - b.as<double>(),
                ca = a.as<double>() - c.as<double>();
    const Vec3d normal = cross(ab, bc);
    const double area = norm(normal);
    const double longest = std::max({squaredNorm(ab), squaredNorm(bc), squaredNorm(ca)});
    if (!(area > narrowest * longest) || !std::isfinite(area))
        return slabs;
    const Vec3d unit = normal / area;
    const Vec3d outOfBc = normalized(cross(bc, unit));
    slabs.normal = unit.as<float>();
    slabs.outOfAb = normalized(cross(ab, unit)).as<float>();
    slabs.outOfBc = outOfBc.as<float>();
    slabs.outOfCa = normalized(cross(ca, unit)).as<float>();
    slabs.height = float(dot(ab, outOfBc));
    return slabs;
}

void PointGroup::set(std::span<const Vec3f> points, std::span<const std::uint32_t> rows,
                     double squaredLimit) {
    box = emptyBox();
    for (std::size_t i = 0; i < kSize; ++i) {
        const Vec3f p = points[rows[std::min(i, rows.size() - 1)]];
        x[i] = p.x;
        y[i] = p.y;
        z[i] = p.z;
        box = joined(box, {p, p});
    }
    squaredDistances.fill(squaredLimit);
    limits.fill(limitOf(squaredLimit));
    items.fill(kNoItem);
    candidates = 0;
}

float PointGroup::largestLimit() const {
    float largest = limits[0];
    for (const float limit : limits)
        largest = largest > limit ? largest : limit;
    return largest;
}

} // namespace scanloupe::cpu
