#pragma once
// What a recipe keeps of a scan's points: a range that may be turned or inverted, and a section.
#include "engine/cloud/point_cloud.h"
#include "engine/recipe/recipe.h"
#include "kernels/cut/point_cut.h"

namespace scanloupe {

/// A range with its rotation, in the file's frame.
struct RangeBox {
    Bounds sides;        ///< before it is turned
    double rotation = 0; ///< degrees about the up axis, through the middle of the box
    UpAxis up = UpAxis::z;

    /// From the frame of the sides to the file's frame, for a point and for a direction.
    Vec3d toFile(Vec3d p) const { return middle() + turned(p - middle()); }
    Vec3d turned(Vec3d direction) const;
    Vec3d middle() const { return 0.5 * (sides.min + sides.max); }
    /// The smallest box along the axes of the file that holds it.
    Bounds bounds() const;
};

/// @param resolved with a range
RangeBox rangeBoxOf(const Recipe& resolved);
/// The box along the axes of the file that all points which are kept lie in: of the range, or of the outer
/// range if that is inverted. The grid of voxels begins at its lower corner.
Bounds gridBounds(const Recipe& resolved);
/// What is cut of the points within gridBounds(), relative to the cloud's origin; nothing of a range along
/// the axes without a section.
PointCut pointCut(const Recipe& resolved, Vec3d origin);

} // namespace scanloupe
