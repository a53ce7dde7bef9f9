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

/// Parameters estimated from the data, computed once per cloud.
struct DataDefaults {
    Bounds range;    ///< bounds of the cloud without distant outliers, in the file's frame
    Vec3d voxelSize; ///< gives about 300,000 voxels, or several points per voxel in a small cloud
    FieldKind field = FieldKind::occupancy; ///< signed distance if the seen side of surfaces is known, or if
                                            ///< most voxels are planar
    bool sideKnown = false;      ///< normals or sensor positions determine from which side surfaces were seen
    SurfaceShare surface;        ///< not measured if sideKnown
    std::optional<Vec3d> sensor; ///< known or guessed, in the file's frame
    bool sensorGuessed = false;
    UpGuess up;
    std::uint64_t outliers = 0; ///< finite points outside the range
};

/// Estimates the parameters of a cloud. @throws EngineError if no point has finite coordinates; Cancelled.
DataDefaults defaultsFor(const PointCloud& cloud, const std::stop_token& stop);

/// Whether automatic values of the recipe depend on the data. If not, defaultsFor() can be skipped, for
/// instance for every frame of a sequence.
bool needsDefaults(const Recipe& recipe);

/// Returns the recipe for another scan: values that depend on a scan's position and scale become automatic
/// again. @param isVolume the other scan is a volume, which has no attributes
Recipe forAnotherScan(Recipe recipe, bool isVolume);

/// Returns the recipe with all automatic parameters set, except the iso-value, which depends on the field. If
/// a range is given without a voxel size, the size for all points is used, or a half, a quarter, … of it if
/// that suits the points in the range better. A range that extends far beyond all points is clipped to their
/// bounds.
/// @param defaults ignored unless needsDefaults()
Recipe resolve(const Recipe& recipe, const PointCloud& cloud, const DataDefaults& defaults,
               const std::stop_token& stop);

} // namespace scanloupe
