#pragma once
// The step of one iteration, from gradient and Hessian: the same bits on both backends.
#include "kernels/register/ndt_math.h"

namespace scanloupe {

/// A pivot of -H below this share of its diagonal is what rounding left of nothing, or of less than nothing.
inline constexpr double kLeastPivot = 1e-9;
// Where -H isn't positive definite, as far from a maximum, a multiple of the identity is added, turns being
// counted in arcs: of 32 the first that makes it so, and twice that, which leaves the most negative curvature
// about its size with the other sign. Eigenvalues would tell more, but take one thread of a device a hundred
// times as long as solving, and the 32 can be tried at once.
inline constexpr int kNdtShifts = 32;
/// Share of the largest element that shift `n` adds: 0, then 1/5461 to 6, each twice the one before the last.
HD inline double ndtShift(int n) {
    return n == 0 ? 0 : (n % 2 == 1 ? 1.5 : 1.0) * (1 << n / 2) / 8192;
}
/// A factor of the i-th unknown: metres, and turns in arcs of `radius` metres.
HD inline double ndtScale(int i, double radius) {
    return i < 3 ? 1 : 1 / radius;
}

namespace detail {
/// A symmetric matrix of three rows: xx, xy, xz, yy, yz, zz.
struct Symmetric3 {
    double xx, xy, xz, yy, yz, zz;

    HD Vec3d operator*(Vec3d v) const {
        const auto row = [v](double a, double b, double c) {
            return std::fma(c, v.z, std::fma(b, v.y, a * v.x));
        };
        return {row(xx, xy, xz), row(xy, yy, yz), row(xz, yz, zz)};
    }
    /// Its inverse. @returns whether it is positive definite, its pivots being above their share of
    /// `diagonal`
    HD bool invert(Vec3d diagonal, Symmetric3& inverse) const {
        const auto minor = [](double a, double b, double c, double d) { return std::fma(a, b, -(c * d)); };
        inverse = {minor(yy, zz, yz, yz), minor(xz, yz, xy, zz), minor(xy, yz, xz, yy),
                   minor(xx, zz, xz, xz), minor(xy, xz, xx, yz), minor(xx, yy, xy, xy)};
        const double two = inverse.zz,
                     det = std::fma(xz, inverse.xz, std::fma(xy, inverse.xy, xx * inverse.xx));
        const bool positive = diagonal.x > 0 && diagonal.y > 0 && diagonal.z > 0 &&
                              xx > kLeastPivot * diagonal.x && two > kLeastPivot * diagonal.y * xx &&
                              det > kLeastPivot * diagonal.z * two;
        const double by = 1 / det;
        inverse = {inverse.xx * by, inverse.xy * by, inverse.xz * by,
                   inverse.yy * by, inverse.yz * by, inverse.zz * by};
        return positive;
    }
};
} // namespace detail

/// Solves with shift `n`, for steps in metres and arcs. By halves, each inverted by its minors: of the
/// divisions one after the other that a device's thread waits for there are two, not six.
/// @returns whether that is positive definite
HD inline bool solveShifted(const NdtTotals& at, double radius, int n, double (&x)[6]) {
    const double arc = 1 / radius, square = arc * arc;
    const auto h = [&at](int i, int j) { return -at.hessian(i, j); };
    detail::Symmetric3 a{h(0, 0), h(0, 1), h(0, 2), h(1, 1), h(1, 2), h(2, 2)};
    detail::Symmetric3 c{h(3, 3) * square, h(3, 4) * square, h(3, 5) * square,
                         h(4, 4) * square, h(4, 5) * square, h(5, 5) * square};
    const Vec3d b[3] = {Vec3d{h(0, 3), h(1, 3), h(2, 3)} * arc, Vec3d{h(0, 4), h(1, 4), h(2, 4)} * arc,
                        Vec3d{h(0, 5), h(1, 5), h(2, 5)} * arc}; // columns
    const auto largest = [](double p, double q, double r) {
        return std::fmax(std::fmax(std::fabs(p), std::fabs(q)), std::fabs(r));
    };
    const double shift =
        ndtShift(n) *
        largest(largest(largest(a.xx, a.xy, a.xz), largest(a.yy, a.yz, a.zz), largest(c.xx, c.xy, c.xz)),
                largest(c.yy, c.yz, c.zz),
                largest(largest(b[0].x, b[0].y, b[0].z), largest(b[1].x, b[1].y, b[1].z),
                        largest(b[2].x, b[2].y, b[2].z)));
    a.xx += shift, a.yy += shift, a.zz += shift;
    c.xx += shift, c.yy += shift, c.zz += shift;
    const Vec3d shifts{at.gradient(0), at.gradient(1), at.gradient(2)};
    const Vec3d turns = Vec3d{at.gradient(3), at.gradient(4), at.gradient(5)} * arc;
    detail::Symmetric3 inverse, rest;
    const bool first = a.invert({a.xx, a.yy, a.zz}, inverse);
    const Vec3d ab[3] = {inverse * b[0], inverse * b[1], inverse * b[2]}, ag = inverse * shifts;
    const auto less = [](double from, Vec3d p, Vec3d q) {
        return std::fma(-p.z, q.z, std::fma(-p.y, q.y, std::fma(-p.x, q.x, from)));
    };
    const detail::Symmetric3 schur{less(c.xx, b[0], ab[0]), less(c.xy, b[0], ab[1]), less(c.xz, b[0], ab[2]),
                                   less(c.yy, b[1], ab[1]), less(c.yz, b[1], ab[2]), less(c.zz, b[2], ab[2])};
    const bool second = schur.invert({c.xx, c.yy, c.zz}, rest);
    const Vec3d v = rest * Vec3d{less(turns.x, b[0], ag), less(turns.y, b[1], ag), less(turns.z, b[2], ag)};
    const auto back = [&](double from, double p, double q, double r) {
        return std::fma(-r, v.z, std::fma(-q, v.y, std::fma(-p, v.x, from)));
    };
    x[0] = back(ag.x, ab[0].x, ab[1].x, ab[2].x);
    x[1] = back(ag.y, ab[0].y, ab[1].y, ab[2].y);
    x[2] = back(ag.z, ab[0].z, ab[1].z, ab[2].z);
    x[3] = v.x, x[4] = v.y, x[5] = v.z;
    return first && second;
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

/// What solveShifted gives with the shift to take.
struct NdtSolved {
    double x[6];
    bool positive;
};

/// Tries one shift after the other. Not inlined: what follows it is read from memory by each iteration.
[[gnu::noinline]] HD inline NdtSolved solveBySearch(const NdtTotals& at, double radius) {
    NdtSolved solved;
    const auto solve = [&](int shift) {
        solved.positive = solveShifted(at, radius, shift, solved.x);
        return solved.positive;
    };
    const int chosen = chooseShift(solve);
    if (chosen != 0 || !solved.positive)
        solve(chosen);
    return solved;
}

/// A Newton step uphill. Returns its length, 0 where there is nothing to climb; `step` may be longer than
/// what one wants to take. `radius` is the points' spread in metres, above 0.
/// @param known solveShifted's result, when something else has worked it out already
HD inline double newtonStep(const NdtTotals& at, double radius, double (&step)[6],
                            const NdtSolved* known = nullptr) {
    const NdtSolved solved = known && known->positive ? *known : solveBySearch(at, radius);
    double up = 0, square = 0;
    for (int i = 0; i < 6; ++i) {
        step[i] = solved.x[i] * ndtScale(i, radius);
        up = std::fma(at.gradient(i), step[i], up);
        square = std::fma(step[i], step[i], square);
    }
    if (solved.positive && up > 0 && up <= 1e300 && square <= 1e300)
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
