// Reads the normals of scans.
#include "engine/inspect/unit_normals.h"

#include "engine/cloud/point_cloud.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace scanloupe {

Buffer<Vec3f> unitNormals(const PointCloud& scan, std::size_t stride, const std::stop_token& stop) {
    const std::array<const Attribute*, 3> parts{scan.attribute("normal_x"), scan.attribute("normal_y"),
                                                scan.attribute("normal_z")};
    if (std::ranges::find(parts, nullptr) != parts.end())
        return {};
    scan.load(parts, stop);
    auto normals = Buffer<Vec3f>::host(chunkCount(scan.size(), stride));
    parallelFor(normals.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t row = i * stride;
            const Vec3d normal{parts[0]->value(row), parts[1]->value(row), parts[2]->value(row)};
            const double length = norm(normal);
            normals[i] = length > 0 && std::isfinite(length) ? (normal / length).as<float>() : Vec3f{};
        }
    });
    const bool any = std::ranges::any_of(normals.span(), [](Vec3f n) { return squaredNorm(n) > 0; });
    return any ? std::move(normals) : Buffer<Vec3f>();
}

} // namespace scanloupe
