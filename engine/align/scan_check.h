#pragma once
// Declares the checks of a scan before it is aligned: that it has points, and a size like that of the first.
#include <cstddef>

namespace scanloupe {

class PointCloud;

/// The diagonal of the box between the 1 % and 99 % quantiles of each axis, metres; 0 without finite points.
/// @param sample about how many points are looked at
double robustExtent(const PointCloud& cloud, std::size_t sample);
inline constexpr std::size_t kExtentSample = 100'000;

/// Scans that are aligned to the first of them.
class ScanCheck {
public:
    /// @throws EngineError when it has finite points, but too few
    explicit ScanCheck(const PointCloud& first);
    /// @throws EngineError when a scan has too few finite points, or a size that only another unit of length
    /// explains
    void require(const PointCloud& scan) const;

private:
    double m_extent; ///< extent of the first scan
};

} // namespace scanloupe
