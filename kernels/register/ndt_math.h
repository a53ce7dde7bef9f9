#pragma once
// What both backends compute per cell, per pair of a point and a cell, and per point.
#include "kernels/core/hd.h"
#include "kernels/core/rigid_transform.h"
#include "kernels/core/vec3.h"

#include <cmath>
#include <cstdint>

namespace scanloupe {

/// A mixture of a normal distribution and of outliers, as another normal distribution that is easier to
/// differentiate: the score of a pair is -d1 exp(-d2/2 q), q being its squared Mahalanobis distance.
/// Magnusson (2009), equations 6.7 and 6.8.
struct NdtGauss {
    double d1 = 0, d2 = 0;
};

inline NdtGauss ndtGauss(double resolution, double outlierRatio) {
    const double c1 = 10 * (1 - outlierRatio), c2 = outlierRatio / (resolution * resolution * resolution);
    const double d3 = -std::log(c2), d1 = -std::log(c1 + c2) - d3;
    return {d1, -2 * std::log((-std::log(c1 * std::exp(-0.5) + c2) - d3) / d1)};
}

/// What the cells around one point add up to. The derivatives of a pair are those of the point, whatever the
/// cell: so the sum over cells goes first, and each point is differentiated once.
template <class T>
struct NdtNear {
    T score{};     ///< sum of -d1 e
    T best{};      ///< largest e
    Vec3<T> q;     ///< sum of w C d, w = d1 d2 e
    T m[6]{};      ///< sum of w (C - d2 C d (C d)^T): xx, xy, xz, yy, yz, zz
    int pairs = 0; ///< cells that counted
};

/// C d, C being symmetric: xx, xy, xz, yy, yz, zz.
template <class T>
HD Vec3<T> times(const T* c, Vec3<T> d) {
    return {c[0] * d.x + c[1] * d.y + c[2] * d.z, c[1] * d.x + c[3] * d.y + c[4] * d.z,
            c[2] * d.x + c[4] * d.y + c[5] * d.z};
}

/// Adds a cell with the inverse covariance `c` and e = exp(-d2/2 d C d); `cd` is C d, d = point - mean.
/// @returns whether it counts: one with d2 e above 1 or not a number has no sensible derivative.
template <class T>
HD bool addPair(NdtNear<T>& sums, const T* c, Vec3<T> cd, T e, T d1, T d2) {
    const T share = d2 * e;
    if (!(share > T(0)) || share > T(1))
        return false;
    const T w = d1 * share;
    sums.score += -d1 * e;
    sums.best = e > sums.best ? e : sums.best;
    sums.q += cd * w;
    const T v = w * d2;
    sums.m[0] += w * c[0] - v * cd.x * cd.x;
    sums.m[1] += w * c[1] - v * cd.x * cd.y;
    sums.m[2] += w * c[2] - v * cd.x * cd.z;
    sums.m[3] += w * c[3] - v * cd.y * cd.y;
    sums.m[4] += w * c[4] - v * cd.y * cd.z;
    sums.m[5] += w * c[5] - v * cd.z * cd.z;
    ++sums.pairs;
    return true;
}

inline constexpr int kNdtTerms = 32;                                   ///< of NdtTotals: what is added up
inline constexpr int kNdtPairs = 28, kNdtWithCell = 29, kNdtBest = 30; ///< places of the last of them

/// Score, gradient and Hessian of the score, summed over points: by translation x, y, z along the target's
/// axes, then by turns a, b, c, the pose becoming Rx(a) Ry(b) Rz(c) R with t unchanged. Taken anew around
/// every pose, the six are never dependent, whatever the pitch, and derivatives need no tables of sines: they
/// are at a = b = c = 0.
struct NdtTotals {
    /// Score, [6] gradient, [21] upper half of the Hessian row by row, pairs that count, points with such a
    /// pair, sum of these points' best e, and one place that is free.
    double terms[kNdtTerms] = {};

    HD double score() const { return terms[0]; }
    HD double pairs() const { return terms[kNdtPairs]; }
    HD double pointsWithCell() const { return terms[kNdtWithCell]; }
    HD double best() const { return terms[kNdtBest]; }
    HD double gradient(int i) const { return terms[1 + i]; }
    /// For i <= j.
    static HD constexpr int place(int i, int j) { return 7 + i * 6 - i * (i - 1) / 2 + (j - i); }
    HD double hessian(int i, int j) const { return terms[i <= j ? place(i, j) : place(j, i)]; }
};

/// Gives each of a point's first 28 terms to `take(index, value)`, in order; `y` is the point turned, not
/// shifted. With J = [I, e_i x y] and h_ij = e_i x (e_j x y) for i <= j: g = J^T q, H = J^T M J + q h.
template <class T, class Take>
HD void pointTerms(const NdtNear<T>& near, Vec3<T> y, Take&& take) {
    const Vec3<T> q = near.q;
    const T* m = near.m;
    take(0, near.score);
    take(1, q.x);
    take(2, q.y);
    take(3, q.z);
    const Vec3<T> turn = cross(y, q);
    take(4, turn.x);
    take(5, turn.y);
    take(6, turn.z);
    // M (e_j x y), for the three j
    const Vec3<T> jx{T(0), -y.z, y.y}, jy{y.z, T(0), -y.x}, jz{-y.y, y.x, T(0)};
    const Vec3<T> ax = times(m, jx), ay = times(m, jy), az = times(m, jz);
    take(7, m[0]);
    take(8, m[1]);
    take(9, m[2]);
    take(10, ax.x);
    take(11, ay.x);
    take(12, az.x);
    take(13, m[3]);
    take(14, m[4]);
    take(15, ax.y);
    take(16, ay.y);
    take(17, az.y);
    take(18, m[5]);
    take(19, ax.z);
    take(20, ay.z);
    take(21, az.z);
    take(22, dot(jx, ax) - q.y * y.y - q.z * y.z);
    take(23, dot(jx, ay) + q.y * y.x);
    take(24, dot(jx, az) + q.z * y.x);
    take(25, dot(jy, ay) - q.x * y.x - q.z * y.z);
    take(26, dot(jy, az) + q.z * y.y);
    take(27, dot(jz, az) - q.x * y.x - q.y * y.y);
}

/// `pose` moved by a step: translation, then turns, as NdtTotals has them.
HD inline RigidTransform moved(const RigidTransform& pose, const double (&step)[6]) {
    RigidTransform next = fromRollPitchYaw({step[3], step[4], step[5]}, {}) * pose;
    next.translation = pose.translation + Vec3d{step[0], step[1], step[2]};
    return next;
}

/// The axes made orthogonal and of unit length again: thousands of steps leave rounding behind.
HD inline void straighten(RigidTransform& pose) {
    const Vec3d x = normalized(pose.rows[0]);
    const Vec3d z = normalized(cross(x, pose.rows[1]));
    pose.rows[0] = x;
    pose.rows[1] = cross(z, x);
    pose.rows[2] = z;
}

} // namespace scanloupe
