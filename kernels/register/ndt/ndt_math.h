#pragma once
// Computes the NDT score and its derivatives for a pair of a point and a cell, and sums them per point, for
// both backends (Magnusson 2009, chapter 6).
#include "kernels/core/hd.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"

#include <cmath>
#include <cstdint>

namespace scanloupe {

/// Gaussian that approximates the mixture of a cell's normal distribution and of outliers, and is easier to
/// differentiate. The score of a pair is -d1 exp(-d2/2 q), where q is its squared Mahalanobis distance
/// (Magnusson 2009, equations 6.7 and 6.8).
struct NdtGauss {
    double d1 = 0, d2 = 0;
};

inline NdtGauss ndtGauss(double resolution, double outlierRatio) {
    const double c1 = 10 * (1 - outlierRatio), c2 = outlierRatio / (resolution * resolution * resolution);
    const double d3 = -std::log(c2), d1 = -std::log(c1 + c2) - d3;
    return {d1, -2 * std::log((-std::log(c1 * std::exp(-0.5) + c2) - d3) / d1)};
}

/// Returns a * b + c. In single precision the result is rounded once, also on the host. In double precision
/// it is rounded twice, since a host without a fused instruction then takes only a tenth of the time.
HD inline float mulAdd(float a, float b, float c) {
    return std::fma(a, b, c);
}
HD inline double mulAdd(double a, double b, double c) {
    return a * b + c;
}
template <class T>
HD T sumOfProducts(Vec3<T> a, Vec3<T> b) {
    return mulAdd(a.z, b.z, mulAdd(a.y, b.y, a.x * b.x));
}

/// Sums over the cells around one point. The derivatives of the transformed point are the same for all its
/// cells, so the cells are summed first, and each point is differentiated once.
template <class T>
struct NdtNear {
    T score{};     ///< sum of -d1 e, where e = exp(-d2/2 q)
    T best{};      ///< largest e
    Vec3<T> q;     ///< sum of w C d, w = d1 d2 e
    T m[6]{};      ///< sum of w (C - d2 C d (C d)^T): xx, xy, xz, yy, yz, zz
    int pairs = 0; ///< number of cells that contributed
};

/// Returns C d. @param c symmetric matrix: xx, xy, xz, yy, yz, zz
template <class T>
HD Vec3<T> times(const T* c, Vec3<T> d) {
    return {sumOfProducts(Vec3<T>{c[0], c[1], c[2]}, d), sumOfProducts(Vec3<T>{c[1], c[3], c[4]}, d),
            sumOfProducts(Vec3<T>{c[2], c[4], c[5]}, d)};
}

/// Adds a cell's contribution to the derivatives. @param c inverse covariance @param cd C d, with d = point -
/// mean @param w weight d1 d2 e
template <class T>
HD void addWeighted(NdtNear<T>& sums, const T* c, Vec3<T> cd, T w, T d2) {
    sums.q = {mulAdd(cd.x, w, sums.q.x), mulAdd(cd.y, w, sums.q.y), mulAdd(cd.z, w, sums.q.z)};
    const Vec3<T> v = cd * (-w * d2);
    sums.m[0] = mulAdd(v.x, cd.x, mulAdd(w, c[0], sums.m[0]));
    sums.m[1] = mulAdd(v.x, cd.y, mulAdd(w, c[1], sums.m[1]));
    sums.m[2] = mulAdd(v.x, cd.z, mulAdd(w, c[2], sums.m[2]));
    sums.m[3] = mulAdd(v.y, cd.y, mulAdd(w, c[3], sums.m[3]));
    sums.m[4] = mulAdd(v.y, cd.z, mulAdd(w, c[4], sums.m[4]));
    sums.m[5] = mulAdd(v.z, cd.z, mulAdd(w, c[5], sums.m[5]));
}

/// Adds a cell with e = exp(-d2/2 d C d).
/// @returns whether it contributes: a cell for which d2 e is above 1 or not a number has no meaningful
/// derivative
template <class T>
HD bool addPair(NdtNear<T>& sums, const T* c, Vec3<T> cd, T e, T d1, T d2) {
    const T share = d2 * e;
    if (!(share > T(0)) || share > T(1))
        return false;
    sums.score = mulAdd(-d1, e, sums.score);
    sums.best = e > sums.best ? e : sums.best;
    addWeighted(sums, c, cd, d1 * share, d2);
    ++sums.pairs;
    return true;
}

inline constexpr int kNdtTerms = 32; ///< number of terms that are summed, see NdtTotals
inline constexpr int kNdtPairs = 28, kNdtWithCell = 29, kNdtBest = 30; ///< indices of some terms

/// Score, gradient and Hessian of the score, summed over points. They are derivatives by translation x, y, z
/// along the target's axes, then by rotation a, b, c, which makes the pose Rx(a) Ry(b) Rz(c) R with t
/// unchanged, all at a = b = c = 0. This parametrization is local to every pose, so its six parameters are
/// never dependent, whatever the pitch, and derivatives need no tables of sines.
struct NdtTotals {
    /// Score, [6] gradient, [21] upper triangle of the Hessian row by row, number of pairs, number of points
    /// with a pair, sum of these points' best e, and one unused term.
    double terms[kNdtTerms] = {};

    HD double score() const { return terms[0]; }
    HD double pairs() const { return terms[kNdtPairs]; }
    HD double pointsWithCell() const { return terms[kNdtWithCell]; }
    HD double best() const { return terms[kNdtBest]; }
    HD double gradient(int i) const { return terms[1 + i]; }
    /// Returns the index of the Hessian's term (i, j), for i <= j.
    static HD constexpr int place(int i, int j) { return 7 + i * 6 - i * (i - 1) / 2 + (j - i); }
    HD double hessian(int i, int j) const { return terms[i <= j ? place(i, j) : place(j, i)]; }
};

/// Passes a point's first 28 terms to `sink(index, value)`, in order; `y` is the rotated, but not translated
/// point. With J = [I, e_i x y] and h_ij = e_i x (e_j x y) for i <= j: g = J^T q, H = J^T M J + q h.
template <class T, class Sink>
HD void pointTerms(const NdtNear<T>& near, Vec3<T> y, Sink&& sink) {
    const Vec3<T> q = near.q;
    const T* m = near.m;
    sink(0, near.score);
    sink(1, q.x);
    sink(2, q.y);
    sink(3, q.z);
    sink(4, mulAdd(y.y, q.z, -(y.z * q.y)));
    sink(5, mulAdd(y.z, q.x, -(y.x * q.z)));
    sink(6, mulAdd(y.x, q.y, -(y.y * q.x)));
    // Computes column j of the product M (e_j x y).
    const auto column = [m, y](int row, int axis) { // M times e_axis x y, whose component along its axis is 0
        const T* c = m;                             // xx, xy, xz, yy, yz, zz
        const T rows[3][3] = {{c[0], c[1], c[2]}, {c[1], c[3], c[4]}, {c[2], c[4], c[5]}};
        return axis == 0   ? mulAdd(rows[row][2], y.y, -(rows[row][1] * y.z))
               : axis == 1 ? mulAdd(rows[row][0], y.z, -(rows[row][2] * y.x))
                           : mulAdd(rows[row][1], y.x, -(rows[row][0] * y.y));
    };
    const Vec3<T> ax{column(0, 0), column(1, 0), column(2, 0)}, ay{column(0, 1), column(1, 1), column(2, 1)},
        az{column(0, 2), column(1, 2), column(2, 2)};
    sink(7, m[0]);
    sink(8, m[1]);
    sink(9, m[2]);
    sink(10, ax.x);
    sink(11, ay.x);
    sink(12, az.x);
    sink(13, m[3]);
    sink(14, m[4]);
    sink(15, ax.y);
    sink(16, ay.y);
    sink(17, az.y);
    sink(18, m[5]);
    sink(19, ax.z);
    sink(20, ay.z);
    sink(21, az.z);
    sink(22, mulAdd(y.y, ax.z - q.y, -(y.z * (ax.y + q.z))));
    sink(23, mulAdd(y.y, ay.z, mulAdd(q.y, y.x, -(y.z * ay.y))));
    sink(24, mulAdd(y.y, az.z, mulAdd(q.z, y.x, -(y.z * az.y))));
    sink(25, mulAdd(y.z, ay.x - q.z, -(y.x * (ay.z + q.x))));
    sink(26, mulAdd(y.z, az.x, mulAdd(q.z, y.y, -(y.x * az.z))));
    sink(27, mulAdd(y.x, az.y - q.x, -(y.y * (az.x + q.y))));
}

/// Computes sine and cosine of up to half a radian by Taylor polynomials, accurate to 1e-17 and with
/// identical bits on both backends.
HD inline void sineCosine(double a, double& sine, double& cosine) {
    const double x = a * a, x2 = x * x, x4 = x2 * x2;
    // Estrin's scheme: three dependent steps instead of seven
    const auto polynomial = [=](double c0, double c1, double c2, double c3, double c4, double c5, double c6,
                                double c7) {
        const double low = std::fma(x2, std::fma(x, c3, c2), std::fma(x, c1, c0)),
                     high = std::fma(x2, std::fma(x, c7, c6), std::fma(x, c5, c4));
        return std::fma(x4, high, low);
    };
    sine = std::fma(a * x,
                    polynomial(-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                               1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000),
                    a);
    cosine = std::fma(x,
                      polynomial(-0.5, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
                                 -1.0 / 87178291200, 1.0 / 20922789888000),
                      1.0);
}
/// Computes sine and cosine of any angle: halves the angle until it is below half a radian, then doubles the
/// result as often.
[[gnu::noinline]] HD inline void sineCosineFar(double a, double& sine, double& cosine) {
    int halved = 0;
    for (; std::fabs(a) > 0.5 && halved < 64; ++halved)
        a *= 0.5;
    sineCosine(a, sine, cosine);
    for (; halved > 0; --halved) {
        const double twice = 2 * sine * cosine;
        cosine = 1 - 2 * sine * sine;
        sine = twice;
    }
}

/// Returns the angle of the vector (x, y), 0 to pi, accurate to 2e-15 radians and with identical bits on both
/// backends. @param y must not be negative. Halves the angle to less than pi / 16, then adds up the Taylor
/// series of the arc tangent.
HD inline double angleOf(double y, double x) {
    const double length = squareRoot(x * x + y * y);
    double sine = y / length, cosine = x / length;
    constexpr int halvings = 4;
    // Takes the root of the larger number, since the root of the smaller one would lose digits.
    for (int i = 0; i < halvings; ++i) {
        const double large = squareRoot(0.5 * (1 + std::fabs(cosine))), small = sine / (2 * large);
        const bool isWide = cosine < 0;
        sine = isWide ? large : small;
        cosine = isWide ? small : large;
    }
    const double tangent = sine / cosine, square = tangent * tangent;
    double sum = 0;
    for (int k = 23; k >= 1; k -= 2) // the next term of the series, 0.2^23 / 23, is below 1e-17
        sum = 1.0 / k - square * sum;
    return tangent * sum * (1 << halvings);
}

/// Returns `pose` moved by a step: translation, then rotation, parametrized as in NdtTotals.
HD inline RigidTransform moved(const RigidTransform& pose, const double (&step)[6]) {
    double sx, cx, sy, cy, sz, cz;
    sineCosine(step[3], sx, cx);
    sineCosine(step[4], sy, cy);
    sineCosine(step[5], sz, cz);
    if (std::fabs(step[3]) > 0.5 || std::fabs(step[4]) > 0.5 || std::fabs(step[5]) > 0.5) {
        sineCosineFar(step[3], sx, cx);
        sineCosineFar(step[4], sy, cy);
        sineCosineFar(step[5], sz, cz);
    }
    const RigidTransform rotation = fromSinesCosines({sx, sy, sz}, {cx, cy, cz});
    RigidTransform next;
    for (int i = 0; i < 3; ++i) {
        const auto element = [&, row = rotation.rows[i]](double x, double y, double z) {
            return std::fma(row.z, z, std::fma(row.y, y, row.x * x));
        };
        const Vec3d* from = pose.rows;
        next.rows[i] = {element(from[0].x, from[1].x, from[2].x), element(from[0].y, from[1].y, from[2].y),
                        element(from[0].z, from[1].z, from[2].z)};
    }
    next.translation = pose.translation + Vec3d{step[0], step[1], step[2]};
    return next;
}

/// Makes the axes orthogonal and of unit length again, since rounding errors accumulate over thousands of
/// steps.
HD inline void orthonormalize(RigidTransform& pose) {
    const Vec3d x = normalized(pose.rows[0]);
    const Vec3d z = normalized(cross(x, pose.rows[1]));
    pose.rows[0] = x;
    pose.rows[1] = cross(z, x);
    pose.rows[2] = z;
}

} // namespace scanloupe
