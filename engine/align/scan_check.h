#pragma once
// Declares the checks of a scan before it is aligned: enough points, and a size similar to that of the first
// scan.
#include <cstddef>

namespace scanloupe {

class PointCloud;

/// Returns the diagonal of the box between the 1 % and 99 % quantiles of each axis, metres; 0 without finite
/// points.
/// @param sample approximate number of points to inspect
double robustExtent(const PointCloud& cloud, std::size_t sample);
inline constexpr std::size_t kExtentSample = 100'000;

/// Checks whether scans can be aligned to the first one.
class ScanCheck {
public:
    /// @throws EngineError if the scan has finite points, but too few
    explicit ScanCheck(const PointCloud& first);
    /// @throws EngineError if the scan has too few finite points, or a size that suggests another unit of
    ///     length
    void require(const PointCloud& scan) const;

private:
    double m_extent; ///< robustExtent() of the first scan, metres
};

} // namespace scanloupe
