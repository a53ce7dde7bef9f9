#pragma once
// Defines a square root with identical rounding on all backends.
#include "kernels/core/hd.h"

#include <cmath>

namespace scanloupe {

/// Correctly rounded square root. SYCL allows an error of 3 ulp in single precision (SYCL 2020, 4.17.5), but
/// none in double precision, and a square root in double precision rounded to single is correctly rounded.
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
