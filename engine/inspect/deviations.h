#pragma once
// Declares the deviations of a scan from a reference, and their largest regions.
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
    std::optional<double> tolerance; ///< metres; distances up to it are within tolerance; none: no judgement
    double largest = 0;              ///< metres; points farther away are left out; 0: none
    double average = 0;              ///< metres; window of averagedDeviations(); 0: none
    LocalModel model = LocalModel::plane; ///< local model of a reference that is a scan
    int neighbours = kModelNeighbours;    ///< points that the model is fitted to
    double largestAngle =
        0; ///< degrees; points whose normals differ more from the reference's are left out; 0: none
    /// Metres: points out of tolerance belong together when they lie in the same cell of this edge, or in
    /// adjacent ones.
    double regionCell = 0;
    std::size_t maxRegions = 100; ///< of DeviationFigures::worst
};

/// A connected part of the scan that is out of tolerance on one side.
struct DeviationRegion {
    std::uint64_t points = 0;
    double largest = 0; ///< signed, metres
    double mean = 0;    ///< signed
    Vec3d at;           ///< the point of the largest distance, scan's frame
    Bounds box;         ///< scan's frame
    Vec3d facing;       ///< unit vector that the reference faces at `at`; zero: not known
};

/// Statistics of signed distances, of points that have one.
struct DeviationFigures {
    std::uint64_t points = 0;
    double mean = 0, rms = 0, standardDeviation = 0;
    double median = 0;  ///< median of the signed distances
    double largest = 0; ///< signed: the one with the largest magnitude
    GaussFit gauss;     ///< normal distribution fitted to the bulk of the distances
    /// Number of points relative to DeviationOptions::tolerance.
    std::uint64_t within = 0, above = 0, below = 0;
    std::vector<DeviationRegion> worst; ///< by the magnitude of the largest distance, descending
    std::uint64_t regions = 0;          ///< number of all regions

    double shareWithin() const { return points > 0 ? double(within) / double(points) : 0; }
};

/// Whether enough points are within tolerance. @param requiredShare 0 to 1
inline bool isWithin(const DeviationFigures& figures, double requiredShare) {
    constexpr double rounding = 1 - 1e-12; // absorbs rounding of percentages: 999 of 1000 are 99.9 %
    return double(figures.within) >= requiredShare * double(figures.points) * rounding;
}

/// @param points from `origin` in the scan's frame @param distances [N] NaN where there is none
/// @throws Cancelled
DeviationFigures figuresOf(std::span<const Vec3f> points, std::span<const float> distances, Vec3d origin,
                           const DeviationOptions& options, const std::stop_token& stop);

/// As above, without the members that depend on a tolerance: `within`, `above`, `below`, `worst` and
/// `regions` are empty. @throws Cancelled
DeviationFigures statisticsOf(std::span<const float> distances, const std::stop_token& stop);
/// Adds the members that depend on the tolerance to statistics of the same distances. @throws KernelError;
/// Cancelled
void judge(DeviationFigures& statistics, std::span<const Vec3f> points, std::span<const float> distances,
           Vec3d origin, const DeviationOptions& options, const std::stop_token& stop);

/// Distances of points from a reference, where `on` computes. @param points relative to Reference::origin
/// @param normals [N] on the host, of DeviationOptions::largestAngle; may be empty without it
/// @param options but for tolerance and regions
/// @throws EngineError when there are no normals for an angle; KernelError; Cancelled.
SignedDistances distancesFrom(const Buffer<Vec3f>& points, const Buffer<Vec3f>& normals,
                              const Reference& reference, const DeviationOptions& options,
                              const Execution& on);

/// Signed distances of a scan's points, and their statistics.
struct Deviations : DeviationFigures {
    SignedDistances distances; ///< [N]
    bool measuredOnDevice = false;
    std::uint64_t notFinite = 0; ///< points without coordinates
    std::uint64_t tooFar = 0;    ///< left out by DeviationOptions::largest
    std::uint64_t turned = 0;    ///< left out by DeviationOptions::largestAngle
    std::uint64_t atBorder = 0;  ///< measured from the border of an open reference
};

/// Measures a scan against a reference. @param points all of the scan, on the host, from Reference::origin
/// @throws EngineError when no point can be measured; KernelError; Cancelled.
Deviations deviationsOf(const PointCloud& scan, const Buffer<Vec3f>& points, const Reference& reference,
                        const DeviationOptions& options, const Execution& on);

/// The reason why scan and reference can hardly be at the same location.
struct Misfit {
    std::string sentence;
    /// Size of the reference relative to the scan, if it is a factor between units.
    std::optional<double> scale;
    std::string unit; ///< probable unit of its coordinates, in words; or empty
};
/// None if they do. @param asksForUnit whether a factor between their sizes that is one between units counts
std::optional<Misfit> misfitOf(const Bounds& scan, const Reference& reference, bool asksForUnit);

} // namespace scanloupe
