#pragma once
// Decides which points a cut keeps, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

namespace scanloupe {

/// A box that is rotated about one of the coordinate axes through its centre.
struct TurnedBox {
    Vec3f low, high; ///< metres, corners before the rotation; points on the upper faces are outside
    Vec3f middle;    ///< centre of the box, between low and high
    int axis = 2;    ///< rotation axis; angles are counter-clockwise as seen from its positive end
    float cosine = 1, sine = 0;
    bool operator==(const TurnedBox&) const = default;

    HD bool contains(Vec3f p) const {
        if (sine != 0.0f || cosine != 1.0f) { // without a rotation, this is exactly the box test of
                                              // voxelize()
            const int a = (axis + 1) % 3, b = (axis + 2) % 3;
            const Vec3f away = p - middle;
            p[a] = middle[a] + (cosine * away[a] + sine * away[b]);
            p[b] = middle[b] + (cosine * away[b] - sine * away[a]);
        }
        return p.x >= low.x && p.x < high.x && p.y >= low.y && p.y < high.y && p.z >= low.z && p.z < high.z;
    }
};

/// The space between two parallel planes. Points on the plane on the side of `normal` are outside, so that
/// adjacent slabs share no point.
struct Slab {
    Vec3f at;       ///< a point half way between the planes, metres
    Vec3f normal;   ///< unit length
    float half = 0; ///< half of the slab's thickness, metres

    bool operator==(const Slab&) const = default;

    /// Returns the signed distance from the middle plane, metres, positive on the side of the normal.
    HD float distance(Vec3f p) const { return dot(normal, p - at); }
    HD bool contains(Vec3f p) const {
        const float away = distance(p);
        return away >= -half && away < half;
    }
};

/// Which points a cut keeps: those inside or outside of a box that are also inside a slab; both are optional.
struct PointCut {
    bool hasBox = false, keepsOutside = false, hasSlab = false;
    TurnedBox box;
    Slab slab;

    bool operator==(const PointCut&) const = default;
    HD bool cutsNothing() const { return !hasBox && !hasSlab; }
    HD bool keeps(Vec3f p) const {
        return (!hasBox || box.contains(p) != keepsOutside) && (!hasSlab || slab.contains(p));
    }
};

} // namespace scanloupe
