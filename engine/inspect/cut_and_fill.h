#pragma once
// Declares the volumes between the heights of two scans. They are differences of two surfaces, summed over
// cells. Each cell has a level of detection (Lane, Westaway and Hicks, "Estimation of erosion and deposition
// volumes in a large, gravel-bed, braided river using synoptic remote sensing", 2003; Wheaton et al.,
// "Accounting for uncertainty in DEMs from repeat topographic surveys", 2010), and the sums have an
// uncertainty (Anderson, "Uncertainty in quantitative analyses of topographic change: error propagation and
// the role of thresholding", 2019).
#include "kernels/core/vec3.h"

#include <cstdint>
#include <limits>
#include <stop_token>

namespace scanloupe {

class PointCloud;

struct CutAndFillOptions {
    double cell = 0;              ///< edge of the square cells, metres, > 0
    double registrationError = 0; ///< standard error of the alignment of the two scans, metres; common to all
                                  ///< cells
    Vec3d up{0, 0, 1};            ///< up vector; heights are measured along the coordinate axis nearest to it
};

/// A volume, cubic metres, and half the width of its 95 % confidence interval (coverage factor 2), which is
/// NaN if no cell has enough points for a spread.
struct VolumeSum {
    double value = 0;
    double uncertainty = std::numeric_limits<double>::quiet_NaN();
};

/// Volumes over the cells in which both scans have points.
struct CutAndFill {
    /// Sums over the cells whose change exceeds their level of detection. The uncertainties are those of the
    /// heights in these cells; the choice of cells is not included.
    VolumeSum gained, lost;
    /// Sum over all cells, significant or not, since a choice of the large changes would bias it. Equals
    /// rawGained - rawLost.
    VolumeSum net;
    double rawGained = 0, rawLost = 0;           ///< sums over all cells, cubic metres; noise increases both
    std::uint64_t cells = 0;                     ///< number of cells with points of both scans
    std::uint64_t judged = 0;                    ///< number of `cells` with a level of detection
    std::uint64_t significant = 0;               ///< number of `judged` cells whose change exceeds the level
                                                 ///< of detection
    std::uint64_t onlyFirst = 0, onlySecond = 0; ///< number of cells with points of only one scan, which are
                                                 ///< not in `cells`
    double area = 0;                             ///< total area of `cells`, square metres
    double meanDetection = 0;                    ///< mean level of detection, metres
};

/// Computes the volumes between two scans. The change of a cell is the difference of its mean heights,
/// corrected for the slope of the ground, because both scans sample the ground at different positions. Its
/// level of detection at 95 % confidence follows from the spread of the points about the slope, their number
/// in both scans, and the registration error. The errors of cells are assumed to be independent, except for
/// the registration error.
/// @throws Cancelled
CutAndFill cutAndFill(const PointCloud& first, const PointCloud& second, const CutAndFillOptions& options,
                      const std::stop_token& stop);

} // namespace scanloupe
