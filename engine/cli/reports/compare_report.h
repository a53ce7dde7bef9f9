#pragma once
// Formats comparisons of a scan with a reference as text and as JSON.
#include "engine/cli/compare_alignment.h"
#include "engine/inspect/deviations.h"
#include "engine/reference/length_unit.h"

#include <optional>
#include <string>

namespace scanloupe {
class PointCloud;
struct Reference;
} // namespace scanloupe

namespace scanloupe::cli {

/// A comparison, for its report.
struct Comparison {
    const PointCloud& scan;
    const Reference& reference;
    const Deviations& deviations;
    LengthUnit unit;          ///< unit of the scan and of all lengths
    double scale = 1;         ///< scale from the reference's unit to the scan's
    double requiredShare = 1; ///< required fraction of points within tolerance
    std::optional<double> tolerance = {};
    Alignment alignment = {};

    bool isAccepted() const { return !tolerance || isWithin(deviations, requiredShare); }
};

std::string toText(const Comparison& comparison);
std::string toJson(const Comparison& comparison);

} // namespace scanloupe::cli
