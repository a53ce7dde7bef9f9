#pragma once
// Declares the change between two scans of the same place.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/cut_and_fill.h"
#include "kernels/change/m3c2.h"
#include "kernels/core/execution.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Checks that `second` has the unit `first`, or declares none. @param first unit of the first scan
/// @throws EngineError if `second` declares another unit
void requireSameUnit(LengthUnit first, const PointCloud& second);

struct ScanChangeOptions {
    M3c2Params params;
    std::size_t maxPlaces = 100'000; ///< maximum number of core points; larger scans use every n-th point of
                                     ///< the first scan
    double cell = 0;                 ///< edge of the cells for volumes, metres, > 0
};

struct ScanChange {
    std::vector<std::size_t> rows; ///< [P] rows of the first scan that are core points
    Buffer<M3c2Change> changes;    ///< [P] on the host
    bool computedOnDevice = false;
    std::uint64_t compared = 0;             ///< number of core points with a distance
    std::uint64_t judged = 0;               ///< number of `compared` with a level of detection
    std::uint64_t significant = 0;          ///< number of `judged` points whose distance exceeds the level of
                                            ///< detection
    double mean = 0, standardDeviation = 0; ///< mean and standard deviation of the distances
    double largest = 0;                     ///< distance with the largest magnitude, signed
    double meanDetection = 0;               ///< mean of the levels of detection
    CutAndFill volume;                      ///< volumes; use the same registration error as the distances
    double milliseconds = 0;                ///< total wall time
};

/// Returns options with cylinders that contain tens of points each, derived from the density of the first
/// scan.
/// @throws EngineError for a scan without points; Cancelled.
ScanChangeOptions changeOptionsFor(const PointCloud& first, const std::stop_token& stop);

/// Computes the changes between two scans in the same frame. @throws EngineError if nothing can be compared;
/// KernelError; Cancelled.
ScanChange scanChange(const PointCloud& first, const PointCloud& second, const ScanChangeOptions& options,
                      const Execution& on);

/// Returns the core points as a cloud with the attributes m3c2_distance, m3c2_detection, m3c2_significant,
/// m3c2_count_first and m3c2_count_second. @throws Cancelled
PointCloud changeCloud(const PointCloud& first, const ScanChange& change, const std::stop_token& stop);

} // namespace scanloupe
