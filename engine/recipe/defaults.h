#pragma once
// Declares the parameters that are estimated from the data: range, voxel size, field, sensor and up axis.
#include "engine/cloud/point_cloud.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/surface_share.h"
#include "engine/recipe/up_guess.h"

#include <optional>
#include <stop_token>

namespace scanloupe {

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

/// Whether something that the recipe leaves out is chosen from the data. What is given for every frame of a
/// sequence costs nothing.
bool needsDefaults(const Recipe& recipe);

/// A recipe for another scan: what depends on a scan's place and scale is chosen from the data again.
/// @param isVolume the other scan has no attributes
Recipe forAnotherScan(Recipe recipe, bool isVolume);

/// Fills in every parameter that is chosen from the data, except the iso-value, which is chosen from the
/// field. If a range is given without a voxel size, that is estimated from the points in the range:
/// that of all points, or a half, a quarter, … of it where that suits better. A range
/// that reaches far beyond all points is cut to their bounds.
/// @param defaults not looked at unless needsDefaults()
Recipe resolve(const Recipe& recipe, const PointCloud& cloud, const DataDefaults& defaults,
               const std::stop_token& stop);

} // namespace scanloupe
