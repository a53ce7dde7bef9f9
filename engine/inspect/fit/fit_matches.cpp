// Finds the counterparts of points on meshes and scans.
#include "engine/inspect/fit/fit_matches.h"

#include "engine/inspect/closest_point.h"
#include "engine/inspect/reference.h"
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

/// Returns a match that only measures the distance along the normal.
FitMatch alongNormal(Vec3d offset, Vec3d normal) {
    FitMatch match;
    match.offset = offset;
    match.normal = normal;
    match.distance = dot(offset, normal);
    match.information = planeInformation(normal);
    return match;
}

/// Returns a match weighted by the covariances of two flat neighbourhoods with these normals.
FitMatch betweenSurfaces(Vec3d offset, Vec3d normal, Vec3d other) {
    FitMatch match = alongNormal(offset, normal);
    match.information = gicpInformation(normal, other);
    const double squared = dot(offset, times(match.information.m, offset));
    match.distance = std::copysign(std::sqrt(std::max(squared, 0.0)), match.distance);
    return match;
}

/// Whether a normal is accurate to some degrees. Neighbours along a single scan line fit any plane through
/// that line, so that all points along the line would have a distance near zero.
bool hasNormal(const cpu::LocalPlanes::Plane& plane) {
    constexpr double maxSquaredTilt = 0.02; // radians squared
    return squaredNorm(plane.normal) > 0 && plane.squaredTilt <= maxSquaredTilt;
}

/// The normal of a point that is fitted; zero if it has none.
struct SourceNormal {
    Vec3d normal;
    double squaredTilt = 0; ///< variance of the normal's direction, radians squared
};

/// The normals of all points that are fitted, for FitMethod::generalized.
class SourceNormals {
public:
    SourceNormals(std::span<const Vec3f> points, std::span<const std::size_t> rows, const FitOptions& options,
                  const Execution& on)
        : m_normals(rows.size()) {
        if (options.method != FitMethod::generalized)
            return;
        auto present = Buffer<Vec3f>::host(points.size()); // removed points would make the cells of the tree
                                                           // too wide
        constexpr float none = std::numeric_limits<float>::quiet_NaN();
        std::ranges::transform(points, present.data(), [](Vec3f p) {
            return isPresent(p) ? p : Vec3f{none, none, none};
        });
        Bvh tree = cpu::buildPointBvh(present.span(), on.stop);
        if (isCrowded(tree, on.onHost()) &&
            leaveOutCoinciding(present.span(), std::size_t(options.neighbours), on.stop) > 0)
            tree = cpu::buildPointBvh(present.span(), on.stop);
        const cpu::PointSearch search({tree.view(), present.data()}, on.stop);
        // planes are also fitted to points that are excluded from the fit
        cpu::LocalPlanes planes(points.data(), search, options.neighbours);
        const std::vector<std::uint32_t> items(rows.begin(), rows.end());
        planes.find(items, on.stop);
        for (std::size_t i = 0; i < items.size(); ++i)
            if (const cpu::LocalPlanes::Plane& plane = planes.at(items[i]); hasNormal(plane))
                m_normals[i] = {plane.normal, plane.squaredTilt};
    }
    /// Returns the normal of row `i` after the rotation.
    SourceNormal at(std::size_t i, const RigidTransform& turned) const {
        return {turned.rotate(m_normals[i].normal), m_normals[i].squaredTilt};
    }

private:
    std::vector<SourceNormal> m_normals;
};

/// @param squaredTilt variance of the direction of `normal`, radians squared
FitMatch matchOf(FitMethod method, Vec3d offset, Vec3d normal, double squaredTilt,
                 const SourceNormal& other) {
    const bool isPlane = method == FitMethod::pointToPlane || !(squaredNorm(other.normal) > 0);
    FitMatch match = isPlane ? alongNormal(offset, normal) : betweenSurfaces(offset, normal, other.normal);
    match.squaredTilt = squaredTilt + (isPlane ? 0 : other.squaredTilt);
    return match;
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
                matches[i] = items[i] == kNoItem
                                 ? noMatch(true)
                                 : onTriangle(items[i], points[i], m_normals.at(which[i], turned), method);
        });
        return matches;
    }

private:
    /// Returns the match with a triangle. On an edge the distance grows along the offset, not along a normal.
    /// Beyond a boundary the scan contains surfaces that the mesh lacks (Turk and Levoy, "Zippered polygon
    /// meshes from range images", 1994).
    FitMatch onTriangle(std::uint32_t triangle, Vec3d p, const SourceNormal& other, FitMethod method) const {
        const ClosestPoint closest = closestPoint(m_mesh, triangle, p);
        if (closest.isFace)
            return matchOf(method, -closest.at, closest.normal, 0, other);
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
                matches[i] = items[i] == kNoItem || (wantsPlanes && !isPlane(items[i]))
                                 ? noMatch(items[i] == kNoItem)
                                 : nearPoint(items[i], points[i], m_normals.at(which[i], turned), method);
        });
        return matches;
    }

private:
    bool isPlane(std::uint32_t item) const { return hasNormal(m_planes.at(item)); }
    /// Whether enough counterparts have a local plane, so that points without one can be ignored.
    bool havePlanes(std::span<const std::uint32_t> items) const {
        constexpr std::size_t share = 10;
        const auto planes = std::ranges::count_if(
            items, [&](std::uint32_t item) { return item != kNoItem && isPlane(item); });
        return std::size_t(planes) > items.size() / share;
    }

    FitMatch nearPoint(std::uint32_t item, Vec3d p, const SourceNormal& other, FitMethod method) const {
        const cpu::LocalPlanes::Plane& plane = m_planes.at(item);
        const Vec3d from = p - m_points[item].as<double>();
        if (!(squaredNorm(plane.normal) > 0))
            return noMatch(false);
        // uses the point on the plane instead of the noisy point
        const Vec3d onPlane = plane.normal * dot(plane.middle, plane.normal);
        return matchOf(method, from - onPlane, plane.normal, plane.squaredTilt, other);
    }

    const Buffer<Vec3f>& m_points;
    FitOptions m_options;
    Execution m_on;
    cpu::PointSearch m_pointSearch;
    NearestPoints m_search;
    cpu::LocalPlanes m_planes;
    std::vector<std::uint32_t> m_last; // counterpart of each row in the previous call
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
