// Culls chunks by the view frustum, and sorts them front to back.
#include "gui/views/scene/chunk_culling.h"

#include "kernels/mesh/section/section_lines.h"

#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

Frustum::Frustum(const CameraFrame& frame, const QRectF& pixels) {
    const QPointF from = (pixels.topLeft() - frame.centre) / frame.scale,
                  to = (pixels.bottomRight() - frame.centre) / frame.scale;
    const auto side = [&](Vec3d axis, double at, double sign) -> Plane {
        // perspective: axis . p >= at * forward . p; orthographic: axis . p >= at; p from the eye
        const Vec3d normal = (frame.orthographic ? axis : axis - frame.forward * at) * sign;
        return {normal, dot(normal, frame.eye) + (frame.orthographic ? at * sign : 0)};
    };
    m_planes = {side(frame.right, from.x(), 1), side(frame.right, to.x(), -1), side(frame.down, from.y(), 1),
                side(frame.down, to.y(), -1),
                Plane{frame.forward, dot(frame.forward, frame.eye) + frame.nearPlane}};
}

bool Frustum::intersects(Vec3f low, Vec3f high) const {
    const Vec3d middle = (low.as<double>() + high.as<double>()) * 0.5,
                half = (high.as<double>() - low.as<double>()) * 0.5;
    return std::all_of(m_planes.begin(), m_planes.end(), [&](const Plane& plane) {
        const double reach = std::abs(plane.normal.x) * half.x + std::abs(plane.normal.y) * half.y +
                             std::abs(plane.normal.z) * half.z;
        return dot(plane.normal, middle) + reach >= plane.offset;
    });
}

double distanceTo(const DrawChunk& chunk, Vec3d point) {
    const Vec3d nearest =
        scanloupe::max(chunk.low.as<double>(), scanloupe::min(point, chunk.high.as<double>()));
    return norm(nearest - point);
}

std::vector<std::uint32_t> visibleChunks(std::span<const DrawChunk> chunks, const Frustum& frustum,
                                         Vec3d eye) {
    std::vector<std::pair<double, std::uint32_t>> found;
    for (std::uint32_t i = 0; i < chunks.size(); ++i) {
        const DrawChunk& chunk = chunks[i];
        if (!frustum.intersects(chunk.low, chunk.high))
            continue;
        found.emplace_back(distanceTo(chunk, eye), i);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::uint32_t> order(found.size());
    std::transform(found.begin(), found.end(), order.begin(), [](const auto& item) { return item.second; });
    return order;
}

} // namespace scanloupe::gui
