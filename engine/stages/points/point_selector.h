#pragma once
// Finds the points that a selection chooses.
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"
#include "kernels/select/point_set.h"

#include <span>
#include <string>

namespace scanloupe {

class PointAttributes;
class PointCloud;
struct SelectionStep;

/// Points of which selections choose some, all where `on` computes.
struct SelectablePoints {
    const PointCloud& cloud;
    const PointAttributes& attributes;
    std::span<const Vec3f> positions; ///< [N] relative to the cloud's origin
    std::string& note;                ///< why a part was computed on the host, if it was
};

/// The points that steps choose, of those that are there. @param from what steps before have chosen of the
/// same points; null: nothing
/// @throws EngineError when it names an attribute that the scan doesn't have, or when an attribute can't be
/// read any more; KernelError; Cancelled
PointSet chosenPoints(std::span<const SelectionStep> steps, const SelectablePoints& points,
                      const Execution& on, const PointSet* from = nullptr);

} // namespace scanloupe
