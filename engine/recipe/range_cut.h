#pragma once
// Declares which part of a scan's points a recipe keeps: a range, which may be rotated or inverted, and a
// section.
#include "engine/cloud/bounds.h"
#include "engine/recipe/up_axis.h"
#include "kernels/cut/point_cut.h"

namespace scanloupe {

struct Recipe;

/// A range with its rotation, in the file's frame.
struct RangeBox {
    Bounds sides;        ///< the box before the rotation
    double rotation = 0; ///< degrees about the up axis through the centre of the box
    UpAxis up = UpAxis::z;

    /// Transform a point and a direction from the frame of `sides` to the file's frame.
    Vec3d toFile(Vec3d p) const { return middle() + turned(p - middle()); }
    Vec3d turned(Vec3d direction) const;
    Vec3d middle() const { return 0.5 * (sides.min + sides.max); }
    /// Returns the axis-aligned bounding box in the file's frame.
    Bounds bounds() const;
};

/// Returns the range of a recipe. @param resolved has a range
RangeBox rangeBoxOf(const Recipe& resolved);
/// Returns the axis-aligned box in the file's frame that contains all kept points: the bounds of the range,
/// or the outer range if the range is inverted. The voxel grid begins at its lower corner.
Bounds gridBounds(const Recipe& resolved);
/// Returns the cut of the points within gridBounds(), relative to the cloud's origin; none for an
/// axis-aligned range without a section.
PointCut pointCut(const Recipe& resolved, Vec3d origin);

} // namespace scanloupe
