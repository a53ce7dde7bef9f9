#pragma once
// Declares the parameters that are estimated from the data: range, voxel size, field, sensor and up axis.
#include "engine/cloud/bounds.h"
#include "engine/recipe/surface_share.h"
#include "engine/recipe/up_guess.h"
#include "kernels/field/core/scalar_field.h"

#include <optional>
#include <stop_token>

namespace scanloupe {

class PointCloud;
struct Recipe;

/// Parameters estimated from the data, once for a cloud.
struct DataDefaults {
    Bounds range;    ///< the cloud's bounds without far outliers, in the file's frame
    Vec3d voxelSize; ///< for some 300 k voxels, or several points a voxel in a small cloud
    FieldKind field = FieldKind::occupancy; ///< signed distance if a side is known or most voxels are planar
    bool sideKnown = false;      ///< normals or sensor positions give the side that surfaces were seen from
    SurfaceShare surface;        ///< not measured if a side is known
    std::optional<Vec3d> sensor; ///< known or guessed, in the file's frame
    bool sensorGuessed = false;
    UpGuess up;
    std::uint64_t outliers = 0; ///< finite points outside the range
};

/// @throws EngineError when no point has finite coordinates; Cancelled.
DataDefaults defaultsFor(const PointCloud& cloud, const std::stop_token& stop);

/// Whether automatic values of the recipe depend on the data. Recipes with explicit values for every frame of
/// a sequence cost nothing.
bool needsDefaults(const Recipe& recipe);

/// A recipe for another scan: values that depend on a scan's position and scale become automatic again.
/// @param isVolume the other scan has no attributes
Recipe forAnotherScan(Recipe recipe, bool isVolume);

/// Fills in every automatic parameter, except the iso-value, which depends on the field. If a range is given
/// without a voxel size, the size is estimated from the points in the range: that of all points, or a half, a
/// quarter, … of it where that suits better. A range that extends far beyond all points is clipped to their
/// bounds. @param defaults ignored unless needsDefaults()
Recipe resolve(const Recipe& recipe, const PointCloud& cloud, const DataDefaults& defaults,
               const std::stop_token& stop);

} // namespace scanloupe
