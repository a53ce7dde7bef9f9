#pragma once
// Formats comparisons of a scan with a reference as text and as JSON.
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/deviations.h"
#include "engine/inspect/fit_to_mesh.h"
#include "engine/reference/length_unit.h"

#include <optional>
#include <string>
#include <utility>

namespace scanloupe::cli {

/// A comparison, for its report.
struct Comparison {
    const PointCloud& scan;
    const ReferenceMesh& reference;
    const Deviations& deviations;
    LengthUnit unit;          ///< of the scan, which all lengths are in
    double scale = 1;         ///< of the reference's unit in the scan's
    double requiredShare = 1; ///< of points within tolerance
    std::optional<double> tolerance = {};
    std::optional<std::pair<MeshFit, RigidTransform>> fit = {}; ///< and the motion in the scan's frame

    bool isAccepted() const { return !tolerance || isWithin(deviations, requiredShare); }
};

std::string toText(const Comparison& comparison);
std::string toJson(const Comparison& comparison);

} // namespace scanloupe::cli
