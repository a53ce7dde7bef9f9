#pragma once
// Declares how much a scan deviates from a reference, and where most.
#include "engine/inspect/reference_mesh.h"
#include "kernels/core/execution.h"
#include "kernels/mesh/distance/signed_distance.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

struct DeviationOptions {
    std::optional<double> tolerance; ///< metres; a distance up to it is within; none: nothing is judged
    double largest = 0;              ///< metres; points farther away are left out; 0: none
    /// Metres: points out of tolerance that lie in cells of this edge which touch belong together.
    double regionCell = 0;
    std::size_t mostRegions = 100; ///< of Deviations::worst
};

/// A connected part of the scan that is out of tolerance on one side.
struct DeviationRegion {
    std::uint64_t points = 0;
    double largest = 0; ///< signed, metres
    double mean = 0;    ///< signed
    Vec3d at;           ///< the point of the largest distance, scan's frame
    Bounds box;         ///< scan's frame
};

/// Signed distances of a scan's points, and what they tell. Figures are of measured points.
struct Deviations {
    SignedDistances distances; ///< [N]
    bool measuredOnDevice = false;
    std::uint64_t points = 0;    ///< that were measured
    std::uint64_t notFinite = 0; ///< points without coordinates
    std::uint64_t tooFar = 0;    ///< left out by DeviationOptions::largest
    std::uint64_t atBorder = 0;  ///< measured from the border of an open reference
    double mean = 0, rms = 0, standardDeviation = 0;
    double median = 0;                              ///< of the signed distances
    double largest = 0;                             ///< signed: the one with the largest magnitude
    std::uint64_t within = 0, above = 0, below = 0; ///< of DeviationOptions::tolerance: points
    std::vector<DeviationRegion> worst;             ///< by the magnitude of the largest distance, descending
    std::uint64_t regions = 0;                      ///< how many there are in all

    double shareWithin() const { return points > 0 ? double(within) / double(points) : 0; }
};

/// Measures a scan against a reference. @param points in the reference's frame, ReferenceMesh::origin
/// @throws EngineError when no point can be measured; KernelError; Cancelled.
Deviations deviationsOf(const Buffer<Vec3f>& points, const ReferenceMesh& reference,
                        const DeviationOptions& options, const Execution& on);

/// Why the two hardly lie at the same place, as a sentence with the next step; none if they do. @param
/// asksForUnit whether a factor between their sizes that is one between units is named
std::optional<std::string> misfitText(const Bounds& scan, const ReferenceMesh& reference, bool asksForUnit);

} // namespace scanloupe
