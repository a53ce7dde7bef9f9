#pragma once
// Bounds voxels on the screen, and intersects pixel rays with their boxes (slab test, Kay and Kajiya, 1986),
// for both backends.
#include "kernels/raster/core/raster_element.h"
#include "kernels/voxelize/core/voxel_grid.h"

namespace scanloupe {

/// The drawn box of a voxel, relative to the eye, with the axes of the scene; metres.
struct VoxelBox {
    Vec3f low, high;
};

/// Returns the drawn box of a cell. At scale 1, neighbouring voxels share exactly the same plane.
HD inline VoxelBox voxelBox(const RasterView& view, const GridShape& shape, float scale, Vec3i cell) {
    const float first = 0.5f - 0.5f * scale, last = 0.5f + 0.5f * scale;
    const Vec3f c = cell.as<float>();
    return {fromEye(view, shape.origin + shape.voxelSize * (c + Vec3f{first, first, first})),
            fromEye(view, shape.origin + shape.voxelSize * (c + Vec3f{last, last, last}))};
}

/// Bounds of a box on the screen.
struct BoxBounds {
    float minX, minY, maxX, maxY; ///< pixels; these limits contain the whole projection of the box
    float nearest, centre;        ///< depth values: upper bound over the box, and value of its centre
    float middleX, middleY;       ///< pixels; the projection of the box's centre, set only if `tiny`
    bool visible;                 ///< at least a part of the box is beyond the near plane
    bool tiny;                    ///< the box spans less than a pixel in both directions
};

namespace detail {

HD inline float magnitude(float v) {
    return v < 0 ? -v : v;
}
/// Returns half the extent, along a direction, of a box with half extents `half`.
HD inline float reach(Vec3f half, Vec3f direction) {
    return half.x * magnitude(direction.x) + half.y * magnitude(direction.y) +
           half.z * magnitude(direction.z);
}

/// Bounds a box by its corners beyond the near plane and by the intersections of its edges with that plane:
/// exact even if the box is very close to the eye.
HD inline void boundByCorners(const RasterView& view, Vec3f middle, Vec3f half, BoxBounds& out) {
    out.minX = out.minY = 1e30f;
    out.maxX = out.maxY = -1e30f;
    const auto add = [&](Vec3f p) {
        const float factor = view.orthographic ? view.scale : view.scale / p.z;
        const float x = view.centreX + p.x * factor, y = view.centreY + p.y * factor;
        out.minX = x < out.minX ? x : out.minX, out.maxX = x > out.maxX ? x : out.maxX;
        out.minY = y < out.minY ? y : out.minY, out.maxY = y > out.maxY ? y : out.maxY;
    };
    const auto corner = [&](int i) {
        return inView(view, middle + Vec3f{i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y,
                                           i & 4 ? half.z : -half.z});
    };
    for (int i = 0; i < 8; ++i) {
        const Vec3f a = corner(i);
        if (a.z >= view.nearPlane)
            add(a);
        for (int bit = 1; bit < 8; bit <<= 1) {
            if (i & bit)
                continue;
            const Vec3f b = corner(i | bit);
            if ((a.z >= view.nearPlane) == (b.z >= view.nearPlane))
                continue;
            Vec3f cut = a + (b - a) * ((view.nearPlane - a.z) / (b.z - a.z));
            cut.z = view.nearPlane;
            add(cut);
        }
    }
    // If the near plane is close, the intersections are far outside the picture, where single precision needs
    // a margin.
    const float margin = 1.0f + 1e-5f * ((out.maxX - out.minX) + (out.maxY - out.minY));
    out.minX -= margin, out.minY -= margin, out.maxX += margin, out.maxY += margin;
}

} // namespace detail

HD inline BoxBounds boundBox(const RasterView& view, const VoxelBox& box) {
    constexpr float kMargin = 1.0f / 64; // pixels; larger than the rounding error of an edge
    const Vec3f middle = (box.low + box.high) * 0.5f, half = (box.high - box.low) * 0.5f;
    const Vec3f p = inView(view, middle);
    const float along = detail::reach(half, view.forward) * 1.00001f;
    BoxBounds out{};
    out.visible = p.z + along >= view.nearPlane;
    if (!out.visible)
        return out;
    const float front = p.z - along;
    if (front < view.nearPlane || front < 4 * along) { // the bound below is loose for boxes close to the eye
        const float first = front < view.nearPlane ? view.nearPlane : front;
        out.nearest = view.orthographic ? first : 1.0f / first;
        detail::boundByCorners(view, middle, half, out);
        return out;
    }
    // A corner's slope x / w differs from the centre's by dot(corner - centre, right - slope * forward) / w.
    const float inverse = view.orthographic ? 1.0f : 1.0f / p.z;
    const float inverseFront = view.orthographic ? 1.0f : 1.0f / front;
    const float slopeX = p.x * inverse, slopeY = p.y * inverse;
    const float tiltX = view.orthographic ? 0.0f : slopeX, tiltY = view.orthographic ? 0.0f : slopeY;
    const float factor = view.scale * inverseFront;
    const float x = detail::reach(half, view.right - view.forward * tiltX) * factor;
    const float y = detail::reach(half, view.down - view.forward * tiltY) * factor;
    out.middleX = view.centreX + view.scale * slopeX;
    out.middleY = view.centreY + view.scale * slopeY;
    out.minX = out.middleX - x - kMargin, out.maxX = out.middleX + x + kMargin;
    out.minY = out.middleY - y - kMargin, out.maxY = out.middleY + y + kMargin;
    out.nearest = view.orthographic ? front : inverseFront;
    out.centre = view.orthographic ? p.z : inverse;
    out.tiny = x + kMargin < 0.5f && y + kMargin < 0.5f;
    return out;
}

/// Returns the pixels whose centres the bounds contain. For a tiny box returns the pixel that contains the
/// box's centre, even if the box covers no pixel centre, so that no voxel disappears between the centres.
HD inline PixelBox boxPixels(const RasterView& view, const BoxBounds& b) {
    // Clamped to two pixels around the drawn part, so that integers do not overflow, and relative to the
    // part's first pixel.
    const auto pixel = [](float v, float shift, int offset, int size) {
        const auto first = static_cast<float>(offset - 2), last = static_cast<float>(offset + size + 1);
        return floorToInt((!(v > first) ? first : v > last ? last : v) + shift) - offset;
    };
    const auto across = [&](float v, float shift) { return pixel(v, shift, view.offsetX, view.width); };
    const auto along = [&](float v, float shift) { return pixel(v, shift, view.offsetY, view.height); };
    if (b.tiny) {
        const int x = across(b.middleX, 0), y = along(b.middleY, 0);
        return clipped({x, y, x, y}, view.width, view.height);
    }
    return clipped({across(b.minX, 0.5f), along(b.minY, 0.5f), across(b.maxX, -0.5f), along(b.maxY, -0.5f)},
                   view.width, view.height);
}

/// Intersection of a ray with a box.
struct BoxHit {
    float depth; ///< depth value; 0 for a miss
    int axis;    ///< axis of the face that was hit
};

/// Slab test in 1 / w: a ray intersects every plane of an axis-aligned box at 1 / w = direction / plane,
/// which is linear over the picture and needs no division per pixel.
struct PerspectiveBox {
    Vec3f upper, offset;  ///< 1 / w <= direction * upper + offset
    Vec3f lowerA, lowerB; ///< 1 / w >= direction * lower
    float inverseNear;

    HD PerspectiveBox(const RasterView& view, const VoxelBox& box) : inverseNear(view.inverseNear) {
        for (int k = 0; k < 3; ++k) {
            const float low = inverted(box.low[k]), high = inverted(box.high[k]);
            const bool before = box.low[k] >= 0, behind = box.high[k] <= 0;
            upper[k] = before ? low : behind ? high : 0.0f;
            offset[k] = before || behind ? 0.0f : 1e30f; // if the eye is between the two planes, the ray
                                                         // enters neither of them
            lowerA[k] = behind ? low : high;
            lowerB[k] = before ? high : low;
        }
    }
    /// Returns the entry of a ray, or its exit if the ray starts inside the box, where the inner walls are
    /// visible.
    HD BoxHit hit(Vec3f direction) const {
        const Vec3f u = direction * upper + offset, a = direction * lowerA, b = direction * lowerB;
        const Vec3f l = scanloupe::max(a, b);
        int entry = 0, exit = 0;
        float first = u.x, last = l.x;
        if (u.y < first)
            first = u.y, entry = 1;
        if (u.z < first)
            first = u.z, entry = 2;
        if (l.y > last)
            last = l.y, exit = 1;
        if (l.z > last)
            last = l.z, exit = 2;
        if (!(first >= last && first > 0))
            return {0, 0};
        if (first <= inverseNear)
            return {first, entry};
        return last > 0 && last <= inverseNear ? BoxHit{last, exit} : BoxHit{0, 0};
    }

private:
    HD static float inverted(float v) {
        constexpr float tiny = 1e-30f; // used for planes that contain the eye
        return 1.0f / (v >= 0 ? (v < tiny ? tiny : v) : (v > -tiny ? -tiny : v));
    }
};

/// Slab test in w: all rays run along `forward`.
struct OrthographicBox {
    Vec3f enter, leave, inverse;
    float nearPlane;

    HD OrthographicBox(const RasterView& view, const VoxelBox& box) : nearPlane(view.nearPlane) {
        constexpr float tiny = 1e-20f; // used for rays within a plane of the box
        for (int k = 0; k < 3; ++k) {
            const float d = view.forward[k];
            enter[k] = d >= 0 ? box.low[k] : box.high[k];
            leave[k] = d >= 0 ? box.high[k] : box.low[k];
            inverse[k] = 1.0f / (d >= 0 ? (d < tiny ? tiny : d) : (d > -tiny ? -tiny : d));
        }
    }
    HD BoxHit hit(Vec3f start) const {
        const Vec3f a = (enter - start) * inverse, b = (leave - start) * inverse;
        int entry = 0, exit = 0;
        float first = a.x, last = b.x;
        if (a.y > first)
            first = a.y, entry = 1;
        if (a.z > first)
            first = a.z, entry = 2;
        if (b.y < last)
            last = b.y, exit = 1;
        if (b.z < last)
            last = b.z, exit = 2;
        if (!(first <= last))
            return {0, 0};
        if (first >= nearPlane)
            return {first, entry};
        return last >= nearPlane ? BoxHit{last, exit} : BoxHit{0, 0};
    }
};

/// Returns the intersection of a pixel's ray with a box, in a perspective or orthographic view.
HD inline BoxHit hitBox(const RasterView& view, const VoxelBox& box, Vec3f ray) {
    return view.orthographic ? OrthographicBox(view, box).hit(ray) : PerspectiveBox(view, box).hit(ray);
}

} // namespace scanloupe
