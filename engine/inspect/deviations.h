#pragma once
// Declares the deviations of a scan from a reference, and their worst regions.
#include "engine/cloud/bounds.h"
#include "engine/inspect/gauss_fit.h"
#include "kernels/change/local_model.h"
#include "kernels/core/execution.h"
#include "kernels/mesh/distance/signed_distance.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scanloupe {

class PointCloud;
struct Reference;

struct DeviationOptions {
    std::optional<double> tolerance; ///< maximum distance within tolerance, metres; none: no verdict
    double largest = 0;              ///< maximum distance, metres; farther points are left out; 0: no limit
    double average = 0;              ///< window of averagedDeviations(), metres; 0: no averaging
    LocalModel model = LocalModel::plane; ///< local model, for a reference that is a scan
    int neighbours = kModelNeighbours;    ///< number of points that the local model is fitted to
    double largestAngle = 0; ///< maximum angle between the normals of a point and of the reference, degrees;
                             ///< points above it are left out; 0: no limit
    /// Edge of the cells that form regions, metres: points out of tolerance belong to the same region if they
    /// are in the same cell or in adjacent cells.
    double regionCell = 0;
    std::size_t maxRegions = 100; ///< maximum number of regions in DeviationFigures::worst
};

/// A connected region of the scan that is out of tolerance on one side.
struct DeviationRegion {
    std::uint64_t points = 0;
    double largest = 0; ///< distance with the largest magnitude, signed, metres
    double mean = 0;    ///< mean distance, signed, metres
    Vec3d at;           ///< position of the point with the largest distance, scan's frame
    Bounds box;         ///< bounding box in the scan's frame
    Vec3d facing;       ///< unit normal of the reference at `at`; zero: unknown
};

/// Statistics of the signed distances of points, ignoring points without a distance.
struct DeviationFigures {
    std::uint64_t points = 0;
    double mean = 0, rms = 0, standardDeviation = 0;
    double median = 0;  ///< median of the signed distances
    double largest = 0; ///< the distance with the largest magnitude, signed
    GaussFit gauss;     ///< normal distribution fitted to the bulk of the distances
    /// Numbers of points within, above and below DeviationOptions::tolerance.
    std::uint64_t within = 0, above = 0, below = 0;
    std::vector<DeviationRegion> worst; ///< worst regions, sorted by descending magnitude of the largest
                                        ///< distance
    std::uint64_t regions = 0;          ///< number of all regions

    double shareWithin() const { return points > 0 ? double(within) / double(points) : 0; }
};

/// Whether enough points are within tolerance. @param requiredShare required fraction of points, 0 to 1
inline bool isWithin(const DeviationFigures& figures, double requiredShare) {
    constexpr double rounding = 1 - 1e-12; // absorbs the rounding of percentages: 999 of 1000 are 99.9 %
    return double(figures.within) >= requiredShare * double(figures.points) * rounding;
}

/// Computes the statistics of distances.
/// @param points relative to `origin`, which is in the scan's frame
/// @param distances [N] NaN without a distance
/// @throws Cancelled
DeviationFigures figuresOf(std::span<const Vec3f> points, std::span<const float> distances, Vec3d origin,
                           const DeviationOptions& options, const std::stop_token& stop);

/// Computes the statistics without the members that depend on a tolerance: `within`, `above`, `below`,
/// `worst` and `regions` are empty. @throws Cancelled
DeviationFigures statisticsOf(std::span<const float> distances, const std::stop_token& stop);
/// Adds the members that depend on the tolerance to the statistics of the same distances. @throws
/// KernelError; Cancelled
void judge(DeviationFigures& statistics, std::span<const Vec3f> points, std::span<const float> distances,
           Vec3d origin, const DeviationOptions& options, const std::stop_token& stop);

/// Returns the distances of points from a reference, in the memory space in which `on` computes.
/// @param points relative to Reference::origin
/// @param normals [N] on the host, for DeviationOptions::largestAngle; may be empty if that is 0
/// @param options tolerance and regions are ignored
/// @throws EngineError if normals are needed but missing; KernelError; Cancelled.
SignedDistances distancesFrom(const Buffer<Vec3f>& points, const Buffer<Vec3f>& normals,
                              const Reference& reference, const DeviationOptions& options,
                              const Execution& on);

/// Signed distances of a scan's points, and their statistics.
struct Deviations : DeviationFigures {
    SignedDistances distances; ///< [N]
    bool measuredOnDevice = false;
    std::uint64_t notFinite = 0; ///< number of points without finite coordinates
    std::uint64_t tooFar = 0;    ///< number of points left out because of DeviationOptions::largest
    std::uint64_t turned = 0;    ///< number of points left out because of DeviationOptions::largestAngle
    std::uint64_t atBorder = 0;  ///< number of points whose closest point is on the boundary of an open
                                 ///< reference
};

/// Measures a scan against a reference.
/// @param points all points of the scan, on the host, relative to Reference::origin
/// @throws EngineError if no point can be measured; KernelError; Cancelled.
Deviations deviationsOf(const PointCloud& scan, const Buffer<Vec3f>& points, const Reference& reference,
                        const DeviationOptions& options, const Execution& on);

/// The reason why scan and reference are probably not at the same location or in the same unit.
struct Misfit {
    std::string sentence;
    /// Size of the reference relative to the scan, if this is a factor between units.
    std::optional<double> scale;
    std::string unit; ///< probable unit of the reference's coordinates, in words; may be empty
};
/// Checks whether the bounds of scan and reference match; none if they do.
/// @param asksForUnit whether to report a ratio of sizes that is a factor between units
std::optional<Misfit> misfitOf(const Bounds& scan, const Reference& reference, bool asksForUnit);

} // namespace scanloupe
