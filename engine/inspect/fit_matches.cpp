// Finds the counterparts of points on meshes and scans.
#include "engine/inspect/fit_matches.h"

#include "engine/inspect/closest_point.h"
#include "kernels/change/local_planes.h"
#include "kernels/change/nearest_points.h"
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/distance/coinciding_points.h"
#include "kernels/mesh/nearest_triangles.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::size_t kFitMatchesGrain = 1024;
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
/// Variance of a point along its normal, of that along the surface; as in "Generalized-ICP".
constexpr double kFlatness = 1e-3;

float limitOf(const FitOptions& options) {
    return options.largest > 0 ? float(options.largest) : kAnyDistance;
}

Buffer<Vec3f> inSinglePrecision(std::span<const Vec3d> points) {
    auto rounded = Buffer<Vec3f>::host(points.size());
    std::ranges::transform(points, rounded.data(), [](Vec3d p) { return p.as<float>(); });
    return rounded;
}

FitMatch noMatch(bool isOutside) {
    FitMatch match;
    match.distance = kNowhere;
    match.isOutside = isOutside;
    return match;
}

/// Along the normal alone.
FitMatch alongNormal(Vec3d offset, Vec3d normal) {
    FitMatch match;
    match.offset = offset;
    match.normal = normal;
    match.distance = dot(offset, normal);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            match.information[r][c] = normal[r] * normal[c];
    return match;
}

/// By the covariances of two flat surroundings with these normals: (C1 + C2)^-1, so that distances along
/// equal normals keep their lengths.
FitMatch betweenSurfaces(Vec3d offset, Vec3d normal, Vec3d other) {
    double sum[3][3];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            sum[r][c] =
                (r == c ? 2.0 : 0.0) - (1 - kFlatness) * (normal[r] * normal[c] + other[r] * other[c]);
    const Vec3d rows[3] = {{sum[0][0], sum[0][1], sum[0][2]},
                           {sum[1][0], sum[1][1], sum[1][2]},
                           {sum[2][0], sum[2][1], sum[2][2]}};
    const Vec3d inverse[3] = {cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])};
    const double factor = 2 * kFlatness / dot(rows[0], inverse[0]);
    FitMatch match;
    match.offset = offset;
    match.normal = normal;
    double squared = 0;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            match.information[r][c] = factor * inverse[c][r];
            squared += offset[r] * match.information[r][c] * offset[c];
        }
    match.distance = std::copysign(std::sqrt(std::max(squared, 0.0)), dot(offset, normal));
    return match;
}

/// Whether a normal is known to some degrees. Neighbours along one line of a scanner lie in any plane through
/// it, from which all points along the line have hardly any distance, wherever they belong.
bool hasNormal(const cpu::LocalPlanes::Plane& plane) {
    constexpr double mostTilt = 0.02; // radians squared
    return squaredNorm(plane.normal) > 0 && plane.squaredTilt <= mostTilt;
}

/// Normals of the points that are fitted, for FitMethod::generalized.
class SourceNormals {
public:
    SourceNormals(std::span<const Vec3f> points, std::span<const std::size_t> rows, const FitOptions& options,
                  const Execution& on)
        : m_normals(rows.size()) {
        if (options.method != FitMethod::generalized)
            return;
        auto present = Buffer<Vec3f>::host(points.size()); // removed ones would make the tree's cells wide
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        std::ranges::transform(points, present.data(), [](Vec3f p) {
            return isPresent(p) ? p : Vec3f{none, none, none};
        });
        Bvh tree = cpu::buildPointBvh(present.span(), on.stop);
        if (isCrowded(tree, on.onHost()) &&
            leaveOutCoinciding(present.span(), std::size_t(options.neighbours), on.stop) > 0)
            tree = cpu::buildPointBvh(present.span(), on.stop);
        const cpu::PointSearch search({tree.view(), present.data()}, on.stop);
        cpu::LocalPlanes planes(points.data(), search, options.neighbours); // also around those left out
        const std::vector<std::uint32_t> items(rows.begin(), rows.end());
        planes.find(items, on.stop);
        for (std::size_t i = 0; i < items.size(); ++i)
            m_normals[i] = hasNormal(planes.at(items[i])) ? planes.at(items[i]).normal : Vec3d{};
    }
    Vec3d at(std::size_t i) const { return m_normals[i]; }

private:
    std::vector<Vec3d> m_normals;
};

FitMatch matchOf(FitMethod method, Vec3d offset, Vec3d normal, Vec3d other) {
    if (method == FitMethod::pointToPlane || !(squaredNorm(other) > 0))
        return alongNormal(offset, normal);
    return betweenSurfaces(offset, normal, other);
}

class MeshMatcher : public FitMatcher {
public:
    MeshMatcher(std::span<const Vec3f> points, std::span<const std::size_t> rows,
                const ReferenceMesh& reference, const FitOptions& options, const Execution& on)
        : m_mesh(reference.mesh), m_borders(reference.normals.borders), m_options(options), m_on(on),
          m_search(reference.mesh, reference.tree, on), m_normals(points, rows, options, on) {}

    std::vector<FitMatch> match(std::span<const Vec3d> points, std::span<const std::uint32_t> which,
                                const RigidTransform& turned, FitMethod method) override {
        const Buffer<std::uint32_t> items = m_search.of(inSinglePrecision(points), limitOf(m_options));
        std::vector<FitMatch> matches(points.size());
        parallelFor(points.size(), kFitMatchesGrain, m_on.stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                matches[i] = items[i] == kNoItem ? noMatch(true)
                                                 : onTriangle(items[i], points[i],
                                                              turned.rotate(m_normals.at(which[i])), method);
        });
        return matches;
    }

private:
    /// On an edge the distance grows along the way there, not along a normal. Beyond a border the scan has
    /// seen what the mesh doesn't have (Turk and Levoy, "Zippered polygon meshes from range images", 1994).
    FitMatch onTriangle(std::uint32_t triangle, Vec3d p, Vec3d other, FitMethod method) const {
        const ClosestPoint closest = closestPoint(m_mesh, triangle, p);
        if (closest.isFace)
            return matchOf(method, -closest.at, closest.normal, other);
        if (m_borders[triangle] != 0)
            return noMatch(true);
        const double length = norm(closest.at);
        return alongNormal(-closest.at, length > 0 ? -closest.at / length : closest.normal);
    }

    const TriangleMesh& m_mesh;
    const Buffer<std::uint8_t>& m_borders;
    FitOptions m_options;
    Execution m_on;
    NearestTriangles m_search;
    SourceNormals m_normals;
};

class ScanMatcher : public FitMatcher {
public:
    ScanMatcher(std::span<const Vec3f> points, std::span<const std::size_t> rows,
                const ReferenceScan& reference, const FitOptions& options, const Execution& on)
        : m_points(reference.points), m_options(options), m_on(on),
          m_pointSearch({reference.tree.view(), reference.points.data()}, on.stop),
          m_search(reference.points, reference.tree, m_pointSearch, on),
          m_planes(reference.points.data(), m_pointSearch, options.neighbours), m_last(rows.size(), kNoItem),
          m_normals(points, rows, options, on) {}

    std::vector<FitMatch> match(std::span<const Vec3d> points, std::span<const std::uint32_t> which,
                                const RigidTransform& turned, FitMethod method) override {
        std::vector<std::uint32_t> hints(points.size());
        for (std::size_t i = 0; i < hints.size(); ++i)
            hints[i] = m_last[which[i]];
        const Buffer<std::uint32_t> items = m_search.of(inSinglePrecision(points), limitOf(m_options), hints);
        for (std::size_t i = 0; i < hints.size(); ++i)
            m_last[which[i]] = items[i];
        m_planes.find(items.span(), m_on.stop);
        const bool wantsPlanes = havePlanes(items.span());
        std::vector<FitMatch> matches(points.size());
        parallelFor(points.size(), kFitMatchesGrain, m_on.stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                matches[i] =
                    items[i] == kNoItem || (wantsPlanes && !isPlane(items[i]))
                        ? noMatch(items[i] == kNoItem)
                        : nearPoint(items[i], points[i], turned.rotate(m_normals.at(which[i])), method);
        });
        return matches;
    }

private:
    bool isPlane(std::uint32_t item) const { return hasNormal(m_planes.at(item)); }
    /// Whether enough of the counterparts lie in planes for the others to be left out.
    bool havePlanes(std::span<const std::uint32_t> items) const {
        constexpr std::size_t share = 10;
        const auto planes = std::ranges::count_if(
            items, [&](std::uint32_t item) { return item != kNoItem && isPlane(item); });
        return std::size_t(planes) > items.size() / share;
    }

    FitMatch nearPoint(std::uint32_t item, Vec3d p, Vec3d other, FitMethod method) const {
        const cpu::LocalPlanes::Plane& plane = m_planes.at(item);
        const Vec3d from = p - m_points[item].as<double>();
        if (!(squaredNorm(plane.normal) > 0))
            return noMatch(false);
        // the point of the plane instead of the noisy one
        const Vec3d onPlane = plane.normal * dot(plane.middle, plane.normal);
        FitMatch match = matchOf(method, from - onPlane, plane.normal, other);
        match.squaredTilt = plane.squaredTilt;
        return match;
    }

    const Buffer<Vec3f>& m_points;
    FitOptions m_options;
    Execution m_on;
    cpu::PointSearch m_pointSearch;
    NearestPoints m_search;
    cpu::LocalPlanes m_planes;
    std::vector<std::uint32_t> m_last; // counterpart of each row in the last call
    SourceNormals m_normals;
};

} // namespace

std::unique_ptr<FitMatcher> fitMatcher(std::span<const Vec3f> points, std::span<const std::size_t> rows,
                                       const Reference& reference, const FitOptions& options,
                                       const Execution& on) {
    if (const ReferenceMesh* mesh = reference.mesh())
        return std::make_unique<MeshMatcher>(points, rows, *mesh, options, on);
    return std::make_unique<ScanMatcher>(points, rows, *reference.scan(), options, on);
}

} // namespace scanloupe
