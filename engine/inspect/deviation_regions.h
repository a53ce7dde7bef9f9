#pragma once
// Declares the search for connected regions of a scan that are out of tolerance.
#include "engine/inspect/deviations.h"

#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct DeviationRegions {
    std::vector<DeviationRegion> worst; ///< see DeviationFigures::worst
    std::uint64_t count = 0;            ///< number of all regions, listed or not
};

/// Finds the connected regions out of tolerance.
/// @param points, distances [N]; points are relative to `origin`
/// @throws KernelError; Cancelled.
DeviationRegions deviationRegions(std::span<const Vec3f> points, std::span<const float> distances,
                                  Vec3d origin, const DeviationOptions& options, const std::stop_token& stop);

} // namespace scanloupe
