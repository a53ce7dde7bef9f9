#pragma once
// Computes the factors that registration sums: the error of a point and its counterpart, its gradient and its
// Gauss-Newton Hessian, for both backends. GICP after Segal, Haehnel and Thrun, "Generalized-ICP" (2009),
// point-to-plane ICP after Chen and Medioni, "Object modeling by registration of multiple range images"
// (1991).
#include "kernels/register/ndt/ndt_math.h"

#include <cstdint>

namespace scanloupe {

/// Ratio of the variance along the normal to the variance within the plane, for a plane-regularized
/// covariance (Segal et al., 2009).
inline constexpr double kFlatVariance = 1e-3;

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
struct Information {
    double m[6] = {};
    HD void addOuter(Vec3d v, double by) {
        m[0] += by * v.x * v.x;
        m[1] += by * v.x * v.y;
        m[2] += by * v.x * v.z;
        m[3] += by * v.y * v.y;
        m[4] += by * v.y * v.z;
        m[5] += by * v.z * v.z;
    }
};

/// Information matrix of point-to-plane ICP: only the distance along the target's normal counts.
HD inline Information planeInformation(Vec3d normal) {
    Information information;
    information.addOuter(normal, 1);
    return information;
}

/// Information matrix of GICP: (A + B)^-1 - I/2 for the plane-regularized covariances of both surfaces,
/// A = I - k a a^T and B = I - k b b^T with k = 1 - kFlatVariance. The matrix is scaled so that two parallel
/// surfaces have a variance of 1 along their normal: errors are then squared metres. The sum and the
/// difference of a and b are eigenvectors of A + B, which gives the inverse in closed form. Along parallel
/// surfaces, (A + B)^-1 is I/2, which is subtracted: it would pull points to their counterparts, such as one
/// sensor's rings to the other's, and make a corridor look constrained along its axis.
/// @param a, b unit normals in the same frame
HD inline Information gicpInformation(Vec3d a, Vec3d b) {
    constexpr double k = 1 - kFlatVariance, unit = 2 * kFlatVariance;
    const double c = dot(a, b);
    Information information;
    information.addOuter(a + b, unit * k / (4 * (2 - k * (1 + c))));
    information.addOuter(a - b, unit * k / (4 * (2 - k * (1 - c))));
    return information;
}

/// How the error depends on the distance r; `scale` is in metres.
enum class RobustKernel : std::uint8_t {
    none,         ///< least squares: all distances have the same weight
    huber,        ///< linear beyond the scale
    cauchy,       ///< log(1 + (r / scale)^2)
    gemanMcClure, ///< bounded: distances of many times the scale have no influence
    tukey,        ///< bounded: distances beyond the scale have no influence
};
inline constexpr const char* kRobustKernelKeys[] = {"none", "huber", "cauchy", "geman-mcclure", "tukey"};

/// rho(r^2), and its derivative by r^2, which is the weight of a factor. Both are equal to least squares near
/// r = 0.
struct RobustError {
    double error, weight;
};
HD inline RobustError robustError(RobustKernel kernel, double squared, double scale) {
    const double unit = scale * scale;
    switch (kernel) {
    case RobustKernel::huber: {
        if (squared <= unit)
            break;
        const double distance = std::sqrt(squared);
        return {2 * scale * distance - unit, scale / distance};
    }
    case RobustKernel::cauchy:
        return {unit * std::log1p(squared / unit), unit / (unit + squared)};
    case RobustKernel::gemanMcClure: {
        const double part = unit / (unit + squared);
        return {squared * part, part * part};
    }
    case RobustKernel::tukey: {
        const double rest = squared < unit ? 1 - squared / unit : 0;
        return {unit / 3 * (1 - rest * rest * rest), rest * rest};
    }
    case RobustKernel::none:
        break;
    }
    return {squared, 1};
}

inline constexpr int kFactorTerms = 30;
/// Sums of factors 1/2 rho(d^T M d), d = R p + t - q, and their derivatives by translation and rotation as in
/// NdtTotals. Unlike there, smaller is better.
struct FactorSums {
    /// Error, [6] its gradient, [21] upper triangle of the Gauss-Newton Hessian row by row, sum of the
    /// weights, number of factors.
    double terms[kFactorTerms] = {};

    HD double error() const { return terms[0]; }
    HD double gradient(int i) const { return terms[1 + i]; }
    HD double hessian(int i, int j) const {
        return terms[i <= j ? NdtTotals::place(i, j) : NdtTotals::place(j, i)];
    }
    HD double weight() const { return terms[28]; }
    HD double count() const { return terms[29]; }
    HD void add(const FactorSums& other) {
        for (int i = 0; i < kFactorTerms; ++i)
            terms[i] += other.terms[i];
    }
};

/// Adds a factor. @param y the rotated, but not translated point @param d its offset from its counterpart
HD inline void addFactor(FactorSums& sums, Vec3d y, Vec3d d, const Information& information,
                         RobustKernel kernel, double scale) {
    const Vec3d md = times(information.m, d);
    const RobustError robust = robustError(kernel, dot(d, md), scale);
    const double weight = robust.weight;
    NdtNear<double> near; // the second derivatives of the rotation are omitted, as in the Gauss-Newton method
    for (int i = 0; i < 6; ++i)
        near.m[i] = weight * information.m[i];
    pointTerms(near, y, [&sums](int term, double value) { sums.terms[term] += value; });
    const Vec3d q = md * weight, turn = cross(y, q);
    sums.terms[0] += 0.5 * robust.error;
    sums.terms[1] += q.x;
    sums.terms[2] += q.y;
    sums.terms[3] += q.z;
    sums.terms[4] += turn.x;
    sums.terms[5] += turn.y;
    sums.terms[6] += turn.z;
    sums.terms[28] += weight;
    sums.terms[29] += 1;
}

} // namespace scanloupe
