#pragma once
// The step of one iteration, from gradient and Hessian: the same bits on both backends.
#include "kernels/register/ndt_math.h"

#include <type_traits>
#include <utility>

namespace scanloupe {

/// A pivot of -H below this share of its diagonal is what rounding left of nothing, or of less than nothing.
inline constexpr double kLeastPivot = 1e-9;
namespace detail {
/// Calls `body` with 0, 1, ... N - 1 as constants: what it indexes can then lie in registers.
template <int N, class Body>
HD void unrolled(Body&& body) {
    [&]<int... I>(std::integer_sequence<int, I...>) {
        (body(std::integral_constant<int, I>{}), ...);
    }(std::make_integer_sequence<int, N>{});
}

/// The second half of a solution by L D L^T: x becomes L^-T D^-1 x.
HD inline void solveBack(const double (&l)[6][6], const double (&inverse)[6], double (&x)[6]) {
    for (int i = 0; i < 6; ++i)
        x[i] *= inverse[i];
    unrolled<5>([&](auto outer) { // the order in which a warp's lanes come to it
        constexpr int k = 5 - outer;
        unrolled<6>([&](auto inner) {
            constexpr int i = inner;
            if constexpr (i < k)
                x[i] = std::fma(-l[k][i], x[k], x[i]);
        });
    });
}
} // namespace detail

/// Solves A x = g by A = L D L^T, of which the lower half is read.
/// @returns false where A isn't positive definite enough; x is then undefined.
HD inline bool solvePositive(const double (&a)[6][6], const double (&g)[6], double (&x)[6]) {
    double rest[6][6], l[6][6], inverse[6];
    bool positive = true;
    for (int i = 0; i < 6; ++i)
        x[i] = g[i];
    detail::unrolled<36>([&](auto n) { rest[n / 6][n % 6] = a[n / 6][n % 6]; });
    detail::unrolled<6>([&](auto outer) {
        constexpr int k = outer;
        const double pivot = rest[k][k];
        if (!(a[k][k] > 0) || !(pivot > kLeastPivot * a[k][k]))
            positive = false;
        inverse[k] = 1 / pivot;
        detail::unrolled<6>([&](auto middle) {
            constexpr int i = middle;
            if constexpr (i > k) {
                l[i][k] = rest[i][k] * inverse[k];
                detail::unrolled<6>([&](auto inner) {
                    constexpr int j = inner;
                    if constexpr (j > k && j <= i)
                        rest[i][j] = std::fma(-l[i][k], rest[j][k], rest[i][j]);
                });
                x[i] = std::fma(-l[i][k], x[k], x[i]);
            }
        });
    });
    detail::solveBack(l, inverse, x);
    return positive;
}

// Where -H isn't positive definite, as far from a maximum, a multiple of the identity is added, turns being
// counted in arcs: of 32 the first that makes it so, and twice that, which leaves the most negative curvature
// about its size with the other sign. Eigenvalues would tell more, but take one thread of a device a hundred
// times as long as solving, and the 32 can be tried at once.
inline constexpr int kNdtShifts = 32;
/// Share of the largest element that shift `n` adds: 0, then 1/5461 to 6, each even one twice the one before.
HD inline double ndtShift(int n) {
    return n == 0 ? 0 : (n % 2 == 1 ? 1.5 : 1.0) * (1 << n / 2) / 8192;
}
/// A factor of the i-th unknown: metres, and turns in arcs of `radius` metres.
HD inline double ndtScale(int i, double radius) {
    return i < 3 ? 1 : 1 / radius;
}

/// Solves with shift `n`, for steps in metres and arcs. @returns whether that is positive definite
HD inline bool solveShifted(const NdtTotals& at, double radius, int n, double (&x)[6]) {
    double a[6][6], g[6], largest = 0;
    const double arc = 1 / radius;
    const auto scale = [arc](int i) { return i < 3 ? 1 : arc; };
    for (int i = 0; i < 6; ++i)
        g[i] = at.gradient(i) * scale(i);
    detail::unrolled<36>([&](auto place) {
        constexpr int i = place / 6, j = place % 6;
        if constexpr (i >= j) {
            a[i][j] = -at.hessian(i, j) * scale(i) * scale(j); // the half that is read
            largest = std::fmax(largest, std::fabs(a[i][j]));
        } else {
            a[i][j] = 0;
        }
    });
    const double shift = ndtShift(n) * largest;
    for (int i = 0; i < 6; ++i)
        a[i][i] += shift;
    return solvePositive(a, g, x);
}

/// Which shift to take, by whether a shift is enough: the first by bisection, since more is enough, too.
template <class Enough>
HD int chooseShift(Enough&& enough) {
    if (enough(0))
        return 0;
    int least = 1, most = kNdtShifts - 1;
    while (least < most) {
        const int middle = (least + most) / 2;
        if (enough(middle))
            most = middle;
        else
            least = middle + 1;
    }
    return least + 2 < kNdtShifts ? least + 2 : kNdtShifts - 1;
}

/// What solveShifted gives with the shift to take, when something else has worked it out already.
struct NdtSolved {
    double x[6];
    bool positive;
};

/// A Newton step uphill. Returns its length, 0 where there is nothing to climb; `step` may be longer than
/// what one wants to take. `radius` is the points' spread in metres, above 0.
HD inline double newtonStep(const NdtTotals& at, double radius, double (&step)[6],
                            const NdtSolved* solved = nullptr) {
    double up = 0, square = 0;
    bool positive = solved && solved->positive;
    if (positive)
        for (int i = 0; i < 6; ++i)
            step[i] = solved->x[i];
    else {
        int last = -1;
        const int n = chooseShift([&](int shift) {
            last = shift;
            return positive = solveShifted(at, radius, shift, step);
        });
        if (n != last)
            positive = solveShifted(at, radius, n, step);
    }
    for (int i = 0; i < 6; ++i) {
        step[i] *= ndtScale(i, radius);
        up = std::fma(at.gradient(i), step[i], up);
        square = std::fma(step[i], step[i], square);
    }
    if (positive && up > 0 && up <= 1e300 && square <= 1e300)
        return std::sqrt(square);
    for (int i = 0; i < 6; ++i) // nothing to climb, or not numbers
        step[i] = 0;
    return 0;
}

/// Cuts a step of the given length. @returns the length that is left
HD inline double cutStep(double (&step)[6], double length, double longest) {
    if (!(length > longest))
        return length;
    const double share = longest / length;
    for (double& part : step)
        part *= share;
    return longest;
}

} // namespace scanloupe
