#pragma once
// Solves the Newton step from gradient and Hessian, with identical bits on both backends. A Hessian that is
// not negative definite is shifted by a multiple of the identity (Nocedal, Wright: Numerical Optimization,
// 2006, section 3.4).
#include "kernels/register/ndt/ndt_math.h"

#include <bit>
#include <initializer_list>

namespace scanloupe {

/// A pivot of -H below this fraction of its diagonal element is either rounding error around zero or
/// negative.
inline constexpr double kLeastPivot = 1e-9;
/// Number of shifts that are tried. Far from a maximum, -H may not be positive definite. Then a multiple of
/// the identity is added to it, with rotations measured as arcs. The multiple is twice the first shift that
/// makes -H positive definite, so that the most negative curvature approximately keeps its size with the
/// opposite sign. Lanes of a warp try the shifts in parallel; computing eigenvalues with one thread would
/// take a hundred times as long.
inline constexpr int kNdtShifts = 32;
/// Returns shift `n` as a fraction of the largest element: 0, then 1/5461 to 6, each twice the shift `n - 2`.
HD inline double ndtShift(int n) {
    return n == 0 ? 0 : (n % 2 == 1 ? 1.5 : 1.0) * (1 << n / 2) / 8192;
}

namespace detail {
/// Returns the largest absolute value, truncated to its upper 32 bits, since a device compares integers
/// several times faster than doubles.
HD inline double largestSize(std::initializer_list<double> of) {
    std::uint32_t upper = 0;
    for (const double a : of) {
        const auto bits = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(a) >> 32) & 0x7fffffffU;
        upper = bits > upper ? bits : upper;
    }
    return std::bit_cast<double>(static_cast<std::uint64_t>(upper) << 32);
}

/// A symmetric matrix of three rows: xx, xy, xz, yy, yz, zz.
struct Symmetric3 {
    double xx, xy, xz, yy, yz, zz;

    HD Vec3d operator*(Vec3d v) const {
        const auto row = [v](double a, double b, double c) {
            return std::fma(c, v.z, std::fma(b, v.y, a * v.x));
        };
        return {row(xx, xy, xz), row(xy, yy, yz), row(xz, yz, zz)};
    }
    /// Inverts the matrix. @returns whether it is positive definite, with all pivots above kLeastPivot of
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

/// A Newton step and the increase that it predicts.
struct NdtSolved {
    double step[6]; ///< translation in metres, then rotation in radians
    double up;      ///< product of step and gradient
    double square;  ///< squared length of the step
    bool positive;  ///< whether the shifted -H was positive definite; otherwise the other members are
                    ///< undefined
};
HD inline NdtSolved ndtSolved(const NdtTotals& at, Vec3d translation, Vec3d rotation, bool positive) {
    const auto sum = [](Vec3d p, Vec3d q) { return std::fma(p.z, q.z, std::fma(p.y, q.y, p.x * q.x)); };
    return {{translation.x, translation.y, translation.z, rotation.x, rotation.y, rotation.z},
            sum({at.gradient(0), at.gradient(1), at.gradient(2)}, translation) +
                sum({at.gradient(3), at.gradient(4), at.gradient(5)}, rotation),
            sum(translation, translation) + sum(rotation, rotation),
            positive};
}

/// Solves with shift `n`, with rotations measured as arcs. The matrix is eliminated by 3 x 3 blocks (Schur
/// complement), each inverted by its minors, so that a thread of the device waits for two dependent divisions
/// instead of six. @param arc 1 / the points' spread in metres
HD inline NdtSolved solveShifted(const NdtTotals& at, double arc, int n) {
    const double square = arc * arc;
    const auto h = [&at](int i, int j) { return at.hessian(i, j); };
    const detail::Symmetric3 upper{h(0, 0), h(0, 1), h(0, 2), h(1, 1), h(1, 2), h(2, 2)};
    const detail::Symmetric3 lower{h(3, 3) * square, h(3, 4) * square, h(3, 5) * square,
                                   h(4, 4) * square, h(4, 5) * square, h(5, 5) * square};
    const Vec3d side[3] = {Vec3d{h(0, 3), h(1, 3), h(2, 3)} * arc, Vec3d{h(0, 4), h(1, 4), h(2, 4)} * arc,
                           Vec3d{h(0, 5), h(1, 5), h(2, 5)} * arc}; // columns of the block
    const double shift =
        ndtShift(n) *
        detail::largestSize({upper.xx,  upper.xy,  upper.xz,  upper.yy,  upper.yz,  upper.zz,  lower.xx,
                             lower.xy,  lower.xz,  lower.yy,  lower.yz,  lower.zz,  side[0].x, side[0].y,
                             side[0].z, side[1].x, side[1].y, side[1].z, side[2].x, side[2].y, side[2].z});
    const detail::Symmetric3 a{shift - upper.xx, -upper.xy, -upper.xz,
                               shift - upper.yy, -upper.yz, shift - upper.zz};
    const detail::Symmetric3 c{shift - lower.xx, -lower.xy, -lower.xz,
                               shift - lower.yy, -lower.yz, shift - lower.zz};
    const Vec3d b[3] = {-side[0], -side[1], -side[2]};
    const Vec3d translationGradient{at.gradient(0), at.gradient(1), at.gradient(2)};
    const Vec3d rotationGradient = Vec3d{at.gradient(3), at.gradient(4), at.gradient(5)} * arc;
    detail::Symmetric3 inverse, rest;
    const bool first = a.invert({a.xx, a.yy, a.zz}, inverse);
    const Vec3d ab[3] = {inverse * b[0], inverse * b[1], inverse * b[2]}, ag = inverse * translationGradient;
    const auto less = [](double from, Vec3d p, Vec3d q) {
        return std::fma(-p.z, q.z, std::fma(-p.y, q.y, std::fma(-p.x, q.x, from)));
    };
    const detail::Symmetric3 schur{less(c.xx, b[0], ab[0]), less(c.xy, b[0], ab[1]), less(c.xz, b[0], ab[2]),
                                   less(c.yy, b[1], ab[1]), less(c.yz, b[1], ab[2]), less(c.zz, b[2], ab[2])};
    const bool second = schur.invert({c.xx, c.yy, c.zz}, rest);
    const Vec3d v = rest * Vec3d{less(rotationGradient.x, b[0], ag), less(rotationGradient.y, b[1], ag),
                                 less(rotationGradient.z, b[2], ag)};
    const auto back = [&](double from, double p, double q, double r) {
        return std::fma(-r, v.z, std::fma(-q, v.y, std::fma(-p, v.x, from)));
    };
    return ndtSolved(at,
                     {back(ag.x, ab[0].x, ab[1].x, ab[2].x), back(ag.y, ab[0].y, ab[1].y, ab[2].y),
                      back(ag.z, ab[0].z, ab[1].z, ab[2].z)},
                     v * arc, first && second);
}

/// Chooses a shift, given a function that returns whether a shift is large enough. Bisection finds the first
/// such shift, since larger shifts are large enough, too.
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

/// Tries one shift after another.
/// @param arc 1 / the points' spread in metres
inline NdtSolved solveBySearch(const NdtTotals& at, double arc) {
    NdtSolved solved;
    const auto solve = [&](int shift) {
        solved = solveShifted(at, arc, shift);
        return solved.positive;
    };
    const int chosen = chooseShift(solve);
    if (chosen != 0 || !solved.positive)
        solve(chosen);
    return solved;
}

/// Scales the step to a length of at most `longest`; sets it to 0 if it is not an ascent direction.
/// @returns the squared length of the step
HD inline double limitStep(const NdtSolved& solved, double longest, double (&step)[6]) {
    const double square = solved.square;
    const bool ascends = solved.positive && solved.up > 0 && solved.up <= 1e300 && square <= 1e300;
    const bool cut = ascends && square > longest * longest;
    const double share = cut ? longest / std::sqrt(square) : 1;
    for (int i = 0; i < 6; ++i)
        step[i] = ascends ? solved.step[i] * share : 0;
    return cut ? longest * longest : ascends ? square : 0;
}

} // namespace scanloupe
