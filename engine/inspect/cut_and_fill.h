#pragma once
// Declares the volumes between the heights of two scans: the difference of two surfaces in cells, with the
// level of detection of each (Lane, Westaway and Hicks, "Estimation of erosion and deposition volumes in a
// large, gravel-bed, braided river using synoptic remote sensing", 2003; Wheaton et al., "Accounting for
// uncertainty in DEMs from repeat topographic surveys", 2010) and with the uncertainty of their sums
// (Anderson, "Uncertainty in quantitative analyses of topographic change: error propagation and the role of
// thresholding", 2019).
#include "kernels/core/vec3.h"

#include <cstdint>
#include <limits>
#include <stop_token>

namespace scanloupe {

class PointCloud;

struct CutAndFillOptions {
    double cell = 0;              ///< metres, > 0: edge of the square cells
    double registrationError = 0; ///< metres, of the alignment of the two scans; common to all cells
    Vec3d up{0, 0, 1};            ///< heights are along the axis nearest to it
};

/// Cubic metres, and half the width of their 95 % confidence interval (coverage factor 2); that is NaN where
/// no cell has enough points for a spread.
struct VolumeSum {
    double value = 0;
    double uncertainty = std::numeric_limits<double>::quiet_NaN();
};

/// Volumes over the cells in which both scans have points.
struct CutAndFill {
    /// Sums over the cells whose change exceeds their level of detection. The uncertainties are those of the
    /// heights in these cells, not of the choice of cells.
    VolumeSum gained, lost;
    /// Sum over all cells, significant or not, since choosing the large changes would bias it: rawGained -
    /// rawLost.
    VolumeSum net;
    double rawGained = 0, rawLost = 0;           ///< cubic metres of all cells: noise adds to both
    std::uint64_t cells = 0;                     ///< cells with points of both scans
    std::uint64_t judged = 0;                    ///< number of `cells` with a level of detection
    std::uint64_t significant = 0;               ///< number of `judged` whose change exceeds it
    std::uint64_t onlyFirst = 0, onlySecond = 0; ///< cells with points of one scan only: not counted
    double area = 0;                             ///< square metres of `cells`
    double meanDetection = 0;                    ///< metres: mean level of detection
};

/// The change of a cell is that of its mean height, corrected for the slope of the ground, which both scans
/// sample at different positions. Its level of detection, at 95 %, follows from the spread about that slope,
/// the number of points of both, and the registration error. The errors of cells are assumed independent,
/// except for the registration error. @throws Cancelled
CutAndFill cutAndFill(const PointCloud& first, const PointCloud& second, const CutAndFillOptions& options,
                      const std::stop_token& stop);

} // namespace scanloupe
