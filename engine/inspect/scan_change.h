#pragma once
// Declares the change between two scans of the same place.
#include "engine/inspect/cut_and_fill.h"
#include "engine/reference/length_unit.h"
#include "kernels/change/m3c2.h"
#include "kernels/core/execution.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// @param first unit of the scan that others are compared with @throws EngineError where `second` states
/// another unit
void requireSameUnit(LengthUnit first, const PointCloud& second);

struct ScanChangeOptions {
    M3c2Params params;
    std::size_t maxPlaces = 100'000; ///< limit; above, every n-th point of the first scan is used
    double cell = 0;                 ///< metres, > 0: edge of the cells of the volumes
};

struct ScanChange {
    std::vector<std::size_t> rows; ///< [P] of the first scan: the places
    Buffer<M3c2Change> changes;    ///< [P] on the host
    bool computedOnDevice = false;
    std::uint64_t compared = 0;             ///< places with a distance
    std::uint64_t judged = 0;               ///< number of `compared` with a level of detection
    std::uint64_t significant = 0;          ///< number of `judged` whose distance exceeds it
    double mean = 0, standardDeviation = 0; ///< mean and standard deviation of the distances
    double largest = 0;                     ///< signed
    double meanDetection = 0;               ///< mean of the levels of detection
    CutAndFill volume;                      ///< with the registration error of the distances
    double milliseconds = 0;                ///< total wall time
};

/// Cylinders with tens of points of a surface each, by the density of the first scan. @throws EngineError for
/// a scan without points; Cancelled.
ScanChangeOptions changeOptionsFor(const PointCloud& first, const std::stop_token& stop);

/// The changes between two scans in the same frame. @throws EngineError when nothing can be compared;
/// KernelError; Cancelled.
ScanChange scanChange(const PointCloud& first, const PointCloud& second, const ScanChangeOptions& options,
                      const Execution& on);

/// The places as a cloud, with the attributes m3c2_distance, m3c2_detection, m3c2_significant,
/// m3c2_count_first and m3c2_count_second. @throws Cancelled
PointCloud changeCloud(const PointCloud& first, const ScanChange& change, const std::stop_token& stop);

} // namespace scanloupe
