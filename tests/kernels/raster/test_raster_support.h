#pragma once
// Scenes, and a plain ray caster in double precision as the reference for the rasterizer's pictures.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/rasterizer.h"
#include "tests/kernels/raster/raster_backends.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace scanloupe::test {

inline TriangleMesh meshOf(const std::vector<Vec3f>& positions, const std::vector<std::uint32_t>& indices) {
    TriangleMesh mesh;
    mesh.positions = hostCopy(std::span(positions));
    mesh.indices = hostCopy(std::span(indices));
    return mesh;
}

inline VoxelGrid gridOf(const GridShape& shape, const std::vector<Vec3i>& cells) {
    std::vector<std::uint64_t> keys;
    for (const Vec3i cell : cells)
        keys.push_back(shape.key(cell));
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    VoxelGrid grid;
    grid.shape = shape;
    grid.keys = hostCopy(std::span(keys));
    return grid;
}

/// A camera at `eye` that looks at `target`.
inline Camera cameraAt(Vec3d eye, Vec3d target, bool orthographic = false, double height = 2) {
    Camera camera;
    camera.eye = eye;
    camera.target = target;
    camera.orthographic = orthographic;
    camera.orthographicHeight = height;
    return camera;
}

/// The scene position at pixel coordinates (x, y), `w` metres along the view.
inline Vec3d unproject(const Projection& p, double x, double y, double w) {
    const double sx = (x + p.offsetX - p.centreX) / p.scale * (p.orthographic ? 1 : w);
    const double sy = (y + p.offsetY - p.centreY) / p.scale * (p.orthographic ? 1 : w);
    return p.eye + p.right.as<double>() * sx + p.down.as<double>() * sy + p.forward.as<double>() * w;
}

inline VisibilityBuffer draw(const RasterScene& scene, const Projection& projection,
                             RasterStats* stats = nullptr) {
    RasterStats own;
    return RasterBackend::current().draw(scene, projection, stats ? *stats : own);
}

struct RayHit {
    std::uint32_t id = 0;
    double w = std::numeric_limits<double>::infinity();
    void keepNearer(std::uint32_t other, double at) {
        if (at < w)
            id = other, w = at;
    }
};

/// The first triangle that the ray start + w * direction hits beyond `nearPlane`.
inline RayHit castTriangles(const TriangleMesh& mesh, Vec3d start, Vec3d direction, double nearPlane) {
    RayHit best;
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t) {
        const auto corner = [&](std::size_t i) {
            return mesh.positions[mesh.indices[3 * t + i]].as<double>();
        };
        const Vec3d a = corner(0), ab = corner(1) - a, ac = corner(2) - a, from = start - a;
        const Vec3d p = cross(direction, ac), q = cross(from, ab);
        const double determinant = dot(ab, p);
        if (determinant == 0)
            continue;
        const double v = dot(from, p) / determinant, u = dot(direction, q) / determinant;
        const double w = dot(ac, q) / determinant;
        if (v >= 0 && u >= 0 && u + v <= 1 && w >= nearPlane)
            best.keepNearer(primitiveId(PrimitiveKind::triangle, static_cast<std::uint32_t>(t)), w);
    }
    return best;
}

inline RayHit castVoxels(const VoxelGrid& grid, double scale, Vec3d start, Vec3d direction,
                         double nearPlane) {
    RayHit best;
    for (std::size_t i = 0; i < grid.size(); ++i) {
        const Vec3d middle = grid.shape.origin.as<double>() +
                             grid.shape.voxelSize.as<double>() *
                                 (grid.shape.cell(grid.keys[i]).as<double>() + Vec3d{0.5, 0.5, 0.5});
        double enter = -1e300, leave = 1e300;
        bool missed = false;
        for (int k = 0; k < 3; ++k) {
            const double half = grid.shape.voxelSize[k] * scale / 2;
            const double low = middle[k] - half - start[k], high = middle[k] + half - start[k];
            if (direction[k] == 0) {
                missed = missed || low > 0 || high < 0;
                continue;
            }
            enter = std::max(enter, std::min(low / direction[k], high / direction[k]));
            leave = std::min(leave, std::max(low / direction[k], high / direction[k]));
        }
        if (missed || enter > leave || leave < nearPlane)
            continue;
        best.keepNearer(primitiveId(PrimitiveKind::voxel, static_cast<std::uint32_t>(i)),
                        enter >= nearPlane ? enter : leave);
    }
    return best;
}

struct Comparison {
    int compared = 0, uncertain = 0, wrongId = 0, wrongDepth = 0;
};

/// Compares every pixel with `cast(start, direction)`. If rays at 1/50 pixel from its centre hit something
/// else, a pixel is uncertain, because fixed-point arithmetic may decide differently.
template <class Cast>
Comparison compareWithRays(const VisibilityBuffer& buffer, const Projection& p, Cast&& cast,
                           double depthTolerance) {
    const auto castAt = [&](double x, double y) {
        const Vec3d across = unproject(p, x, y, p.orthographic ? 0 : 1);
        return p.orthographic ? cast(across, p.forward.as<double>()) : cast(p.eye, across - p.eye);
    };
    Comparison result;
    for (int y = 0; y < buffer.height; ++y) {
        for (int x = 0; x < buffer.width; ++x) {
            const RayHit hit = castAt(x + 0.5, y + 0.5);
            bool certain = true;
            double nearest = hit.w, farthest = hit.w;
            for (const auto& [dx, dy] :
                 {std::pair{0.02, 0.02}, {0.02, -0.02}, {-0.02, 0.02}, {-0.02, -0.02}}) {
                const RayHit beside = castAt(x + 0.5 + dx, y + 0.5 + dy);
                certain = certain && beside.id == hit.id;
                nearest = std::min(nearest, beside.w), farthest = std::max(farthest, beside.w);
            }
            if (!certain) {
                ++result.uncertain;
                continue;
            }
            ++result.compared;
            if (buffer.id(x, y) != hit.id)
                ++result.wrongId;
            const double depth = buffer.depth(x, y, p), slack = depthTolerance * hit.w;
            if (hit.id != 0 && !(depth >= nearest - slack && depth <= farthest + slack))
                ++result.wrongDepth;
        }
    }
    return result;
}

} // namespace scanloupe::test
