#pragma once
// Defines the square root that all backends round alike.
#include "kernels/core/hd.h"

#include <cmath>

namespace scanloupe {

/// Correctly rounded. By SYCL, devices may be 3 units off for single precision (SYCL 2020, 4.17.5), but not
/// for double precision, whose rounded result is the correctly rounded one.
HD inline float squareRoot(float x) {
#if defined(SCANLOUPE_FOR_SYCL)
    return static_cast<float>(std::sqrt(static_cast<double>(x)));
#else
    return std::sqrt(x);
#endif
}
HD inline double squareRoot(double x) {
    return std::sqrt(x);
}

} // namespace scanloupe
