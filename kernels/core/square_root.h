#pragma once
// Defines a square root with identical rounding on all backends.
#include "kernels/core/hd.h"

#include <cmath>

namespace scanloupe {

/// Returns the correctly rounded square root. In single precision, SYCL allows an error of 3 ulp (SYCL 2020,
/// 4.17.5). In double precision it allows none, and rounding that root to single precision is correct
/// rounding.
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
