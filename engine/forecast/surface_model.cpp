// Tells how surfaces depend on voxels, from measurements of generated and real scans.
#include "engine/forecast/surface_model.h"

#include "kernels/field/core/scalar_field.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace scanloupe {

namespace {

/// A curve through points, linear over the logarithms of both.
struct CurvePoint {
    double x, y;
};
double along(std::span<const CurvePoint> curve, double x) {
    if (x <= curve.front().x)
        return curve.front().y;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const auto [x0, y0] = curve[i - 1];
        const auto [x1, y1] = curve[i];
        if (x <= x1)
            return y0 * std::pow(y1 / y0, std::log(x / x0) / std::log(x1 / x0));
    }
    return curve.back().y;
}

/// The iso-value of a density in points a voxel, against the mean number of points in a voxel.
double relativeIso(const Recipe& resolved, double pointsPerVoxel) {
    return *resolved.iso * std::pow(meanEdge(resolved), 3) / pointsPerVoxel;
}

} // namespace

double meanEdge(const Recipe& resolved) {
    const Vec3d size = *resolved.voxelSize;
    return std::cbrt(size.x * size.y * size.z);
}

double trianglesPerVoxel(const Recipe& resolved, double pointsPerVoxel) {
    static constexpr CurvePoint occupancy[] = {{1, 8},   {1.4, 6.7}, {2, 6},    {3.5, 5.4},
                                               {6, 4.9}, {11, 4.4},  {20, 4.1}, {40, 4}};
    static constexpr CurvePoint smoothed[] = {{1.4, 1}, {2, 0.7}, {2.5, 0.4}, {3, 0.2}};
    static constexpr CurvePoint density[] = {{1, 18},  {1.2, 10}, {1.4, 7},  {2, 5.4}, {3.5, 4.3},
                                             {6, 3.7}, {11, 3.3}, {20, 3.1}, {40, 3}};
    static constexpr CurvePoint distance[] = {{1, 3.5}, {1.4, 2.7}, {4, 2.1}, {12, 2}};
    static constexpr CurvePoint givenDensity[] = {{0.1, 4},    {0.3, 3}, {0.7, 1.5}, {1, 0.9},
                                                  {1.6, 0.28}, {2, 0.1}, {4, 0.01}};
    switch (*resolved.field) {
    case FieldKind::occupancy: // a larger radius smooths thin surfaces away
        return along(occupancy, pointsPerVoxel) *
               along(smoothed, std::max(*resolved.radius / meanEdge(resolved), 0.1));
    case FieldKind::density:
        return resolved.iso ? along(givenDensity, relativeIso(resolved, pointsPerVoxel))
                            : along(density, pointsPerVoxel);
    case FieldKind::signedDistance:
    case FieldKind::volume:
        break;
    }
    return along(distance, pointsPerVoxel);
}

SurfacePlace surfacePlace(const Recipe& resolved, double pointsPerVoxel) {
    const Vec3d edges = *resolved.voxelSize;
    const double longest = std::max({edges.x, edges.y, edges.z}),
                 shortest = std::min({edges.x, edges.y, edges.z});
    const char* const shape = longest > 1.3 * shortest ? " of flat voxels" : "";
    const double size = std::log(meanEdge(resolved));
    switch (*resolved.field) {
    case FieldKind::occupancy: // a radius of up to an edge reaches no other voxel
        if (*resolved.radius > longest)
            return {std::string("smoothed") + shape, *resolved.radius / longest};
        return {std::string("occupancy") + shape, size};
    case FieldKind::density:
        if (resolved.iso && relativeIso(resolved, pointsPerVoxel) > 0)
            return {"given density", std::log(relativeIso(resolved, pointsPerVoxel))};
        return {std::string("density") + shape, size};
    case FieldKind::signedDistance:
    case FieldKind::volume:
        break;
    }
    return {std::string("distance") + shape, size};
}

BrickReach reachOf(const Recipe& resolved) {
    BrickReach reach;
    const bool corners = resolved.field == FieldKind::signedDistance;
    reach.shift = corners ? 0 : 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double edge = (*resolved.voxelSize)[axis];
        double nodes = 0;
        if (resolved.field == FieldKind::density)
            nodes = std::ceil(std::max(*resolved.radius / edge, 1.0) + 0.5) - 1;
        else if (resolved.field == FieldKind::occupancy && *resolved.radius > 0)
            nodes = std::ceil(*resolved.radius / edge) - 1;
        reach.nodes[axis] = std::clamp(int(nodes), 0, kBrickEdge - 1) + 1;
    }
    return reach;
}

} // namespace scanloupe
