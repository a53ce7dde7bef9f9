#pragma once
// Declares finding the points that a selection chooses.
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"
#include "kernels/select/point_set.h"

#include <span>
#include <string>

namespace scanloupe {

class PointAttributes;
class PointCloud;
struct SelectionStep;

/// The points among which selections choose, in the memory space in which the selection is computed.
struct SelectablePoints {
    const PointCloud& cloud;
    const PointAttributes& attributes;
    std::span<const Vec3f> positions; ///< [N] relative to the cloud's origin
    std::string& note;                ///< receives the reason if a part is computed on the host
};

/// Returns the present points that the steps select.
/// @param from result of previous steps for the same points; null: nothing was selected
/// @throws EngineError if a step names an attribute that the scan lacks, or if an attribute can't be read any
/// more; KernelError; Cancelled
PointSet chosenPoints(std::span<const SelectionStep> steps, const SelectablePoints& points,
                      const Execution& on, const PointSet* from = nullptr);

} // namespace scanloupe
