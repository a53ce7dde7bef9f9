#pragma once
// Defaults that come from the data.
#include "engine/cloud/point_cloud.h"
#include "engine/pipeline/recipe.h"
#include "engine/pipeline/surface_share.h"
#include "engine/pipeline/up_guess.h"

#include <optional>
#include <stop_token>

namespace scanloupe {

/// What the data suggests, worked out once a cloud.
struct DataDefaults {
    Bounds range;    ///< the cloud's bounds, less a few far outliers; the file's frame
    Vec3d voxelSize; ///< so that there are some 300 k voxels, or several points a voxel in a small cloud
    FieldKind field = FieldKind::occupancy; ///< signed distance when a side is known or most voxels are flat
    bool sideKnown = false; ///< normals or a sensor's position tell the side that surfaces were seen from
    SurfaceShare surface;   ///< of nothing when a side is known
    std::optional<Vec3d> sensor; ///< known or guessed; the file's frame
    bool sensorGuessed = false;
    UpGuess up;
    std::uint64_t outliers = 0; ///< finite points that the range leaves out
};

/// @throws EngineError when no point has finite coordinates; Cancelled.
DataDefaults defaultsFor(const PointCloud& cloud, const std::stop_token& stop);

/// The recipe with every parameter that comes from the data filled in, but the iso-value, which the field
/// decides. A voxel size that was not given follows the points in a range that was; a range that reaches far
/// beyond all points is cut to where they are.
Recipe resolve(const Recipe& recipe, const PointCloud& cloud, const DataDefaults& defaults,
               const std::stop_token& stop);

} // namespace scanloupe
