#pragma once
// Declares the part of a scan's points that a recipe keeps: a range, possibly rotated or inverted, and a
// section.
#include "engine/cloud/bounds.h"
#include "engine/recipe/up_axis.h"
#include "kernels/cut/point_cut.h"

namespace scanloupe {

struct Recipe;

/// A range with its rotation, in the file's frame.
struct RangeBox {
    Bounds sides;        ///< before the rotation
    double rotation = 0; ///< degrees about the up axis, through the middle of the box
    UpAxis up = UpAxis::z;

    /// From the frame of the sides to the file's frame, for a point and for a direction.
    Vec3d toFile(Vec3d p) const { return middle() + turned(p - middle()); }
    Vec3d turned(Vec3d direction) const;
    Vec3d middle() const { return 0.5 * (sides.min + sides.max); }
    /// Its axis-aligned bounding box in the file's frame.
    Bounds bounds() const;
};

/// @param resolved with a range
RangeBox rangeBoxOf(const Recipe& resolved);
/// The axis-aligned box in the file's frame that contains all kept points: of the range, or of the outer
/// range if that is inverted. The grid of voxels begins at its lower corner.
Bounds gridBounds(const Recipe& resolved);
/// The cut of the points within gridBounds(), relative to the cloud's origin; none for an axis-aligned range
/// without a section.
PointCut pointCut(const Recipe& resolved, Vec3d origin);

} // namespace scanloupe
