// Fits a plane to the points picked around a pixel.
#include "gui/tools/brush_plane.h"

#include "gui/views/scene/camera_frame.h"
#include "kernels/core/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace scanloupe::gui {

std::optional<BrushPlane> planeAround(const ToolEvent& event, double pixels) {
    constexpr int directions = 16;
    std::vector<Vec3d> places;
    for (const double part : {0.4, 0.75, 1.1}) // rings beyond a hole that the brush just covers, too
        for (int i = 0; i < directions; ++i) {
            const double angle = 2 * std::numbers::pi * i / directions;
            const auto hit =
                event.hitAt(event.pixel + QPointF(std::cos(angle), std::sin(angle)) * (part * pixels));
            if (hit && isFinite(hit->position))
                places.push_back(hit->position);
        }
    const CameraFrame frame(event.camera.camera(), event.viewport);
    std::optional<BrushPlane> plane;
    for (int round = 0; round < 3 && places.size() >= 6; ++round) {
        Vec3d middle;
        for (const Vec3d p : places)
            middle = middle + p * (1.0 / double(places.size()));
        float sums[6] = {};
        for (const Vec3d p : places) {
            const Vec3f d = (p - middle).as<float>();
            const float products[6] = {d.x * d.x, d.x * d.y, d.x * d.z, d.y * d.y, d.y * d.z, d.z * d.z};
            for (int i = 0; i < 6; ++i)
                sums[i] += products[i];
        }
        Vec3d normal =
            symmetricEigen({sums[0], sums[1], sums[2], sums[3], sums[4], sums[5]}).vectors[0].as<double>();
        if (!(norm(normal) > 0.5))
            break;
        normal = normalized(normal);
        plane = BrushPlane{middle, dot(normal, frame.forward) > 0 ? -normal : normal};
        std::vector<double> off;
        for (const Vec3d p : places)
            off.push_back(std::abs(dot(p - middle, normal)));
        std::vector<double> sorted = off;
        std::ranges::nth_element(sorted, sorted.begin() + std::ptrdiff_t(sorted.size() / 2));
        const double most = 2.5 * sorted[sorted.size() / 2];
        std::size_t kept = 0;
        for (std::size_t i = 0; i < places.size(); ++i)
            if (off[i] <= most)
                places[kept++] = places[i];
        if (kept == places.size())
            break;
        places.resize(kept);
    }
    return plane;
}

} // namespace scanloupe::gui
