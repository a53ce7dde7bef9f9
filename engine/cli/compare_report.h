#pragma once
// Formats comparisons of a scan with a reference as text and as JSON.
#include "engine/cli/compare_alignment.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/deviations.h"
#include "engine/reference/length_unit.h"

#include <optional>
#include <string>

namespace scanloupe::cli {

/// A comparison, for its report.
struct Comparison {
    const PointCloud& scan;
    const Reference& reference;
    const Deviations& deviations;
    LengthUnit unit;          ///< of the scan, which all lengths are in
    double scale = 1;         ///< of the reference's unit in the scan's
    double requiredShare = 1; ///< of points within tolerance
    std::optional<double> tolerance = {};
    Alignment alignment = {};

    bool isAccepted() const { return !tolerance || isWithin(deviations, requiredShare); }
};

std::string toText(const Comparison& comparison);
std::string toJson(const Comparison& comparison);

} // namespace scanloupe::cli
