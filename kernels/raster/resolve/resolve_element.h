#pragma once
// Shades one pixel of the visibility buffer, before eye-dome lighting, for both backends.
#include "kernels/raster/core/resolve_view.h"
#include "kernels/raster/core/shade_element.h"
#include "kernels/raster/points/point_average.h"
#include "kernels/raster/voxels/voxel_box.h"

namespace scanloupe {

/// Returns whether the id is of a primitive of the scene.
HD inline bool isInScene(const ResolveView& r, std::uint32_t id) {
    const PrimitiveKind kind = primitiveKind(id);
    const std::uint32_t count = kind == PrimitiveKind::point      ? r.points
                                : kind == PrimitiveKind::voxel    ? r.voxels
                                : kind == PrimitiveKind::triangle ? r.triangles
                                                                  : 0;
    return primitiveIndex(id) < count;
}

/// Returns the barycentric weights of the point where a ray hits the plane of three corners (relative to the
/// eye); each weight is in [0, 1], and their sum is 1. After Moeller and Trumbore (1997). Multiplies edges
/// rather than corners, so distant triangles do not lose precision.
HD inline Vec3f cornerWeights(Vec3f a, Vec3f b, Vec3f c, Vec3f start, Vec3f direction) {
    const Vec3f ab = b - a, ac = c - a, from = start - a;
    const Vec3f p = cross(direction, ac), q = cross(from, ab);
    const float inverse = 1.0f / dot(ab, p);
    float v = dot(from, p) * inverse, w = dot(direction, q) * inverse;
    if (!(v >= 0))
        v = 0; // triangles are covered by snapped corners, so a pixel's ray may pass slightly outside
    if (!(w >= 0))
        w = 0;
    if (v > 1)
        v = 1;
    if (w > 1 - v)
        w = 1 - v;
    return {1 - v - w, v, w};
}

HD inline float facingLight(const ResolveView& r, Vec3f normal, Vec3f direction) {
    return lightFactor(dot(normal, direction) > 0 ? -normal : normal, r.toLight);
}

HD inline std::uint32_t triangleColour(const ResolveView& r, std::uint32_t triangle, int x, int y) {
    const std::uint32_t* v = r.indices + 3 * static_cast<std::size_t>(triangle);
    const Vec3f a = fromEye(r.view, r.positions[v[0]]), b = fromEye(r.view, r.positions[v[1]]),
                c = fromEye(r.view, r.positions[v[2]]);
    const Vec3f ray = pixelRay(r.view, x, y);
    const Vec3f start = r.view.orthographic ? ray : Vec3f{},
                direction = r.view.orthographic ? r.view.forward : ray;
    const Vec3f w = cornerWeights(a, b, c, start, direction);
    const std::uint32_t colour = colourBetween(r.meshColour, v, w);
    if (!r.light)
        return colour;
    Vec3f normal{};
    if (r.normals)
        normal = normalized(r.normals[v[0]] * w.x + r.normals[v[1]] * w.y + r.normals[v[2]] * w.z);
    if (!(squaredNorm(normal) > 0.5f)) {
        const Vec3f ab = b - a, ac = c - a;
        normal = normalized(cross(normalized(ab), normalized(ac)));
    }
    return scaled(colour, facingLight(r, normal, direction));
}

HD inline std::uint32_t voxelColour(const ResolveView& r, std::uint32_t voxel, int x, int y) {
    const std::uint32_t colour = colourOf(r.voxelColour, voxel);
    if (!r.light)
        return colour;
    const VoxelBox box = voxelBox(r.view, r.shape, r.voxelScale, r.shape.cell(r.keys[voxel]));
    Vec3f ray = pixelRay(r.view, x, y);
    BoxHit hit = hitBox(r.view, box, ray);
    if (!(hit.depth > 0)) { // A tiny box is drawn even if the pixel's ray misses it: use the ray through its
                            // centre.
        const Vec3f middle = (box.low + box.high) * 0.5f;
        ray = r.view.orthographic ? middle - r.view.forward * dot(middle, r.view.forward) : middle;
        if (!r.view.orthographic)
            ray = ray / dot(middle, r.view.forward);
        hit = hitBox(r.view, box, ray);
    }
    const Vec3f direction = r.view.orthographic ? r.view.forward : ray;
    Vec3f normal{};
    normal[hit.axis] = 1;
    return scaled(colour, facingLight(r, normal, direction));
}

HD inline std::uint32_t pointColour(const ResolveView& r, std::uint32_t point, int x, int y) {
    const std::uint32_t nearest = colourOf(r.pointColour, point);
    if (!r.sums)
        return nearest;
    return meanColour(r.sums[static_cast<std::size_t>(y) * static_cast<std::size_t>(r.view.width) +
                             static_cast<std::size_t>(x)],
                      nearest);
}

/// Returns the colour of a pixel by the id of its primitive, 0: background.
HD inline std::uint32_t pixelColour(const ResolveView& r, std::uint32_t id, int x, int y) {
    const std::uint32_t index = primitiveIndex(id);
    switch (primitiveKind(id)) {
    case PrimitiveKind::point:
        return pointColour(r, index, x, y);
    case PrimitiveKind::voxel:
        return voxelColour(r, index, x, y);
    case PrimitiveKind::triangle:
        return triangleColour(r, index, x, y);
    case PrimitiveKind::none:
        break;
    }
    return r.background;
}

/// Returns log2 of the nearness of a pixel, for eye-dome lighting.
HD inline float nearness(std::uint64_t pixel, bool orthographic) {
    if (pixel == 0)
        return kFarthest;
    const auto key = static_cast<std::uint32_t>(pixel >> 32);
    return orthographic ? -log2Approximate(std::bit_cast<float>(0x7fffffffu - key))
                        : log2Approximate(std::bit_cast<float>(key));
}

} // namespace scanloupe
