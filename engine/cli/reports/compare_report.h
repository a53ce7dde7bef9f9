#pragma once
// Declares formatting of comparisons of a scan with a reference, as text and as JSON.
#include "engine/cli/compare_alignment.h"
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/deviations.h"

#include <optional>
#include <string>

namespace scanloupe {
class PointCloud;
struct Reference;
} // namespace scanloupe

namespace scanloupe::cli {

/// The data of a comparison that its report shows.
struct Comparison {
    const PointCloud& scan;
    const Reference& reference;
    const Deviations& deviations;
    LengthUnit unit;          ///< unit of the scan, in which all lengths are
    double scale = 1;         ///< factor from the reference's unit to the scan's
    double requiredShare = 1; ///< required fraction of points within tolerance, 0 to 1
    std::optional<double> tolerance = {};
    Alignment alignment = {};

    bool isAccepted() const { return !tolerance || isWithin(deviations, requiredShare); }
};

std::string toText(const Comparison& comparison);
std::string toJson(const Comparison& comparison);

} // namespace scanloupe::cli
