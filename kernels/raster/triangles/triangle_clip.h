#pragma once
// Clips triangles at the near plane and the guard band, in double precision (Sutherland and Hodgman, 1974),
// for both backends. An edge is always cut from its inner to its outer end, so that two triangles that share
// the edge get the same cut.
#include "kernels/raster/core/raster_element.h"

namespace scanloupe {

inline constexpr int kClipPlanes = 5; ///< the near plane, and four planes of the guard band
/// Maximum number of corners after clipping: each plane adds one corner to a convex polygon, or two if
/// rounding has made it slightly non-convex.
inline constexpr int kClipVertices = 3 + 2 * kClipPlanes;

struct ClipVertex {
    Vec3d p;             ///< view coordinates (right, down, forward), metres
    ScreenVertex screen; ///< drawable for an original corner that needs no clipping
};

/// A convex polygon; its corners in order.
struct ClipPolygon {
    ClipVertex v[kClipVertices];
    int count = 0;
};

/// Returns the signed distance of a point from a clip plane, positive on the inner side. The unit depends on
/// the plane.
HD inline double clipDistance(const RasterView& view, int plane, Vec3d p) {
    if (plane == 0)
        return p.z - static_cast<double>(view.nearPlane);
    const double reach = static_cast<double>(kGuardBand) / view.scale * (view.orthographic ? 1.0 : p.z);
    return plane == 1 ? reach + p.x : plane == 2 ? reach - p.x : plane == 3 ? reach + p.y : reach - p.y;
}

HD inline ClipVertex clipVertex(const RasterView& view, Vec3f position, const ScreenVertex& screen) {
    const Vec3d p = position.as<double>() - view.eye;
    const Vec3d right = view.right.as<double>(), down = view.down.as<double>(),
                forward = view.forward.as<double>();
    return {{dot(right, p), dot(down, p), dot(forward, p)}, screen};
}

HD inline ScreenVertex projectClipped(const RasterView& view, const ClipVertex& v) {
    if (v.screen.state == ScreenVertex::drawable)
        return v.screen;
    const double inverse = view.orthographic ? 1.0 : 1.0 / v.p.z;
    ScreenVertex out;
    out.x = inPart(snap(static_cast<double>(view.centreX) + view.scale * (v.p.x * inverse)), view.offsetX);
    out.y = inPart(snap(static_cast<double>(view.centreY) + view.scale * (v.p.y * inverse)), view.offsetY);
    out.depth = static_cast<float>(view.orthographic ? v.p.z : inverse);
    return out;
}

/// Cuts the polygon by one plane (Sutherland and Hodgman, 1974).
HD inline void clipByPlane(const RasterView& view, int plane, ClipPolygon& polygon) {
    ClipPolygon kept;
    for (int i = 0; i < polygon.count; ++i) {
        const ClipVertex& a = polygon.v[i];
        const ClipVertex& b = polygon.v[i + 1 == polygon.count ? 0 : i + 1];
        double da = clipDistance(view, plane, a.p), db = clipDistance(view, plane, b.p);
        // A corner that is drawable in single precision counts as inside, even if rounding differs in double
        // precision.
        if (a.screen.state == ScreenVertex::drawable && da < 0)
            da = 0;
        if (b.screen.state == ScreenVertex::drawable && db < 0)
            db = 0;
        if (da >= 0)
            kept.v[kept.count++] = a;
        if ((da >= 0) == (db >= 0))
            continue;
        const ClipVertex& inner = da >= 0 ? a : b;
        const ClipVertex& outer = da >= 0 ? b : a;
        const double di = da >= 0 ? da : db, dO = da >= 0 ? db : da;
        ClipVertex cut;
        cut.p = inner.p + (outer.p - inner.p) * (di / (di - dO));
        cut.screen.state = ScreenVertex::outside;
        if (plane == 0)
            cut.p.z = static_cast<double>(view.nearPlane);
        kept.v[kept.count++] = cut;
    }
    polygon = kept;
}

/// Returns true if the whole triangle is so far to one side of the picture, or in front of the near plane,
/// that clipping leaves nothing to draw. Finds most such triangles, and costs much less than clipping.
HD inline bool isClearlyOutside(const RasterView& view, const Vec3f* positions) {
    constexpr double kMargin = 1024; // in pixels: single precision moves corners at the guard band by some
                                     // pixels
    const double centreX = static_cast<double>(view.centreX) - view.offsetX,
                 centreY = static_cast<double>(view.centreY) - view.offsetY;
    bool left = true, right = true, above = true, below = true, before = true;
    for (int i = 0; i < 3; ++i) {
        const Vec3d p = clipVertex(view, positions[i], {}).p;
        const double w = view.orthographic ? 1.0 : p.z;
        const double x = view.scale * p.x, y = view.scale * p.y;
        left = left && x < -(centreX + kMargin) * w;
        right = right && x > (view.width - centreX + kMargin) * w;
        above = above && y < -(centreY + kMargin) * w;
        below = below && y > (view.height - centreY + kMargin) * w;
        // In single precision, a corner that is slightly in front of the near plane may count as drawable.
        before = before && p.z < view.nearPlane - 1e-5 * (norm(p) + view.nearPlane);
    }
    return left || right || above || below || before;
}

/// Clips a triangle.
/// @param fan receives the drawable part, as a fan of screen vertices
/// @returns the number of its vertices: 0, or 3 to kClipVertices
HD inline int clipTriangle(const RasterView& view, const Vec3f* positions, const ScreenVertex* screen,
                           ScreenVertex* fan) {
    ClipPolygon polygon;
    for (int i = 0; i < 3; ++i)
        polygon.v[i] = clipVertex(view, positions[i], screen[i]);
    polygon.count = 3;
    for (int plane = 0; plane < kClipPlanes && polygon.count > 0; ++plane)
        clipByPlane(view, plane, polygon);
    for (int i = 0; i < polygon.count; ++i)
        fan[i] = projectClipped(view, polygon.v[i]);
    return polygon.count;
}

} // namespace scanloupe
