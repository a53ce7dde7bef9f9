#pragma once
// What both backends check before they start.
#include "kernels/voxelize/voxel_cell.h"

#include <vector>

namespace scanloupe {

/// The scales of the features, [F].
/// @throws KernelError for N >= 2^32 - 1 and a feature's range that is empty or not finite.
std::vector<FeatureScale> checkPoints(const PointsView& points);

} // namespace scanloupe
