#pragma once
// Defines quantiles of Student's t-distribution.
#include "kernels/core/hd.h"

namespace scanloupe {

/// Returns the bound t such that 95 % of Student's t-distribution lies within [-t, t], accurate to 0.3 %.
/// `freedom`: degrees of freedom; values below 1 count as 1; infinity yields 1.96.
HD inline double studentQuantile95(double freedom) {
    constexpr double z = 1.959963984540054;
    const double u = freedom > 1 ? 1 / freedom : 1;
    if (u > 1.0 / 3) { // polynomial in 1 / sqrt(freedom), accurate to 0.004 %
        const double root =
            0.71224683 + u * (-0.41065831 + u * (-0.21296856 + u * (0.26277049 + u * -0.07085659)));
        return 1 / (root * root);
    }
    // Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5
    constexpr double z2 = z * z, g1 = z * (z2 + 1) / 4, g2 = z * ((5 * z2 + 16) * z2 + 3) / 96,
                     g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
                     g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
    return z + (g1 + (g2 + (g3 + g4 * u) * u) * u) * u;
}

} // namespace scanloupe
