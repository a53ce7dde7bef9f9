#pragma once
#include "engine/cloud/point_cloud.h"
#include "engine/pipeline/recipe.h"

#include <span>

namespace scanloupe {

/// The camera that a picture of the recipe is taken with, in the file's frame: the recipe's own, or one that
/// shows `box` from the side that the recipe names. `cloud` is null for a volume.
/// @throws EngineError when the view from the sensor is wanted and nobody knows where it stood.
Camera cameraFor(const Recipe& recipe, const Bounds& box, const PointCloud* cloud);

} // namespace scanloupe
