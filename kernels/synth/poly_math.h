#pragma once
// Computes elementary functions using only + - * /, so that every compiler and both backends give identical
// bits.
#include "kernels/core/hd.h"

#include <cstdint>

namespace scanloupe::synth {

inline constexpr double kPi = 3.14159265358979323846;

template <class T>
HD constexpr T lesser(T a, T b) {
    return a < b ? a : b;
}
template <class T>
HD constexpr T greater(T a, T b) {
    return a > b ? a : b;
}
HD constexpr double clamped(double x, double low, double high) {
    return lesser(greater(x, low), high);
}
HD constexpr double absolute(double x) {
    return x < 0 ? -x : x;
}

/// Returns the fractional part of x, in [0, 1), for x in [0, 2^63).
HD constexpr double fraction(double x) {
    return x - static_cast<double>(static_cast<std::int64_t>(x));
}

struct SinCos {
    double sine, cosine;
};

/// Computes sine and cosine by range reduction to [-pi/4, pi/4] and Taylor polynomials; within 1e-14 for |x|
/// < 10^4.
HD constexpr SinCos sinCos(double x) {
    const auto quarter = static_cast<std::int64_t>(x * (2 / kPi) + (x < 0 ? -0.5 : 0.5));
    const auto turns = static_cast<double>(quarter);
    // Cody-Waite reduction: subtracts pi/2 in two parts. The first has so few bits that its product with
    // `turns` is exact.
    const double r = (x - turns * 1.57079632673412561417) - turns * 6.07710050650619224932e-11;
    const double q = r * r;
    const double s =
        r + r * q *
                (-1.0 / 6 +
                 q * (1.0 / 120 +
                      q * (-1.0 / 5040 +
                           q * (1.0 / 362880 + q * (-1.0 / 39916800 + q * (1.0 / 6227020800.0 -
                                                                           q * (1.0 / 1307674368000.0)))))));
    const double c =
        1 + q * (-0.5 + q * (1.0 / 24 + q * (-1.0 / 720 +
                                             q * (1.0 / 40320 +
                                                  q * (-1.0 / 3628800 +
                                                       q * (1.0 / 479001600 - q * (1.0 / 87178291200.0)))))));
    switch (quarter & 3) {
    case 0:
        return {s, c};
    case 1:
        return {c, -s};
    case 2:
        return {-s, -c};
    default:
        return {-c, s};
    }
}

} // namespace scanloupe::synth
