// Makes triangles of polygons and strips.
#include "engine/io/common/face_collector.h"

#include <algorithm>

namespace scanloupe {

void FaceCollector::addPolygon(std::span<const std::int64_t> corners) {
    ++m_faces.polygons;
    const auto isMissing = [&](std::int64_t corner) {
        return corner < 0 || std::uint64_t(corner) >= m_vertices;
    };
    if (std::ranges::any_of(corners, isMissing)) {
        ++m_faces.missing;
        return;
    }
    bool hasArea = false;
    for (std::size_t i = 2; i < corners.size(); ++i) {
        const std::int64_t a = corners[0], b = corners[i - 1], c = corners[i];
        if (a == b || b == c || a == c)
            continue;
        hasArea = true;
        for (const std::int64_t corner : {a, b, c})
            m_faces.indices.push_back(std::uint32_t(corner));
    }
    m_faces.collapsed += !hasArea;
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
        const bool isTurned = (i - first) % 2 == 1;
        addTriangle(corners[i - 2], corners[isTurned ? i : i - 1], corners[isTurned ? i - 1 : i]);
    }
}

} // namespace scanloupe
