// Divides polygons and strips into triangles.
#include "engine/io/common/face_collector.h"

#include "engine/cloud/point_cloud.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// Polygons with more corners are assumed to be convex, since ear clipping takes quadratic time.
constexpr std::size_t kMaxFaceCorners = 4096;

/// Twice the signed area of a triangle, as seen against the direction of `normal`.
double turn(Vec3d a, Vec3d b, Vec3d c, Vec3d normal) {
    return dot(cross(b - a, c - a), normal);
}

} // namespace

void FaceCollector::add(std::int64_t a, std::int64_t b, std::int64_t c) {
    if (a == b || b == c || a == c)
        return;
    for (const std::int64_t corner : {a, b, c})
        m_faces.indices.push_back(std::uint32_t(corner));
}

void FaceCollector::addPolygon(std::span<const std::int64_t> corners) {
    ++m_faces.polygons;
    const auto isMissing = [&](std::int64_t corner) {
        return corner < 0 || std::uint64_t(corner) >= m_vertices.size();
    };
    if (std::ranges::any_of(corners, isMissing)) {
        ++m_faces.missing;
        return;
    }
    const std::size_t before = m_faces.indices.size();
    Vec3d normal;
    if (corners.size() > 3 && corners.size() <= kMaxFaceCorners) {
        const Vec3d first = m_vertices.position(std::size_t(corners[0]));
        for (std::size_t i = 2; i < corners.size(); ++i)
            normal = normal + cross(m_vertices.position(std::size_t(corners[i - 1])) - first,
                                    m_vertices.position(std::size_t(corners[i])) - first);
    }
    if (normal == Vec3d{} || isConvex(corners, normal))
        for (std::size_t i = 2; i < corners.size(); ++i)
            add(corners[0], corners[i - 1], corners[i]);
    else
        clipEars(corners, normal);
    m_faces.collapsed += m_faces.indices.size() == before;
}

bool FaceCollector::isConvex(std::span<const std::int64_t> corners, Vec3d normal) const {
    const auto at = [&](std::size_t i) {
        return m_vertices.position(std::size_t(corners[i % corners.size()]));
    };
    for (std::size_t i = 0; i < corners.size(); ++i)
        if (turn(at(i), at(i + 1), at(i + 2), normal) < 0)
            return false;
    return true;
}

void FaceCollector::clipEars(std::span<const std::int64_t> corners, Vec3d normal) {
    std::vector<std::int64_t> left(corners.begin(), corners.end());
    const auto at = [&](std::size_t i) { return m_vertices.position(std::size_t(left[i % left.size()])); };
    const auto isEar = [&](std::size_t i) {
        const Vec3d a = at(i + left.size() - 1), b = at(i), c = at(i + 1);
        if (turn(a, b, c, normal) <= 0)
            return false;
        for (std::size_t other = i + 2; other < i + left.size() - 1; ++other) {
            const Vec3d p = at(other);
            if (p != a && p != b && p != c && turn(a, b, p, normal) >= 0 && turn(b, c, p, normal) >= 0 &&
                turn(c, a, p, normal) >= 0)
                return false;
        }
        return true;
    };
    while (left.size() > 3) {
        std::size_t ear = 0;
        while (ear < left.size() && !isEar(ear))
            ++ear;
        ear = ear < left.size() ? ear : 0; // self-intersecting polygons may have no ear; then any corner is
                                           // clipped
        add(left[(ear + left.size() - 1) % left.size()], left[ear], left[(ear + 1) % left.size()]);
        left.erase(left.begin() + std::ptrdiff_t(ear));
    }
    add(left[0], left[1], left[2]);
}

void FaceCollector::addStrip(std::span<const std::int64_t> corners) {
    std::size_t first = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (corners[i] < 0) {
            first = i + 1;
            continue;
        }
        if (i < first + 2)
            continue;
        const std::int64_t a = corners[i - 2], b = corners[i - 1], c = corners[i];
        if (a == b || b == c || a == c)
            continue;
        (i - first) % 2 == 1 ? addTriangle(a, c, b) : addTriangle(a, b, c);
    }
}

} // namespace scanloupe
