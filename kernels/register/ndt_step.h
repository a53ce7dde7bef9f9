#pragma once
// The step of one iteration, from gradient and Hessian: the same bits on both backends.
#include "kernels/register/jacobi_eigen.h"
#include "kernels/register/ndt_math.h"

namespace scanloupe {

/// A pivot of -H below this share of its diagonal is what rounding left of nothing, or of less than nothing.
inline constexpr double kLeastPivot = 1e-9;
/// Eigenvalues of -H, angles scaled, are raised to this share of the largest.
inline constexpr double kLeastCurvature = 1e-6;

/// Solves A x = g by A = L D L^T. @returns false where A isn't positive definite enough; x is then undefined.
HD inline bool solvePositive(const double (&a)[6][6], const double (&g)[6], double (&x)[6]) {
    double l[6][6], d[6];
    for (int j = 0; j < 6; ++j) {
        double pivot = a[j][j];
        for (int k = 0; k < j; ++k)
            pivot -= l[j][k] * l[j][k] * d[k];
        if (!(a[j][j] > 0) || !(pivot > kLeastPivot * a[j][j]))
            return false;
        d[j] = pivot;
        for (int i = j + 1; i < 6; ++i) {
            double sum = a[i][j];
            for (int k = 0; k < j; ++k)
                sum -= l[i][k] * l[j][k] * d[k];
            l[i][j] = sum / pivot;
        }
    }
    for (int i = 0; i < 6; ++i) {
        x[i] = g[i];
        for (int k = 0; k < i; ++k)
            x[i] -= l[i][k] * x[k];
    }
    for (int i = 0; i < 6; ++i)
        x[i] /= d[i];
    for (int i = 5; i >= 0; --i)
        for (int k = 5; k > i; --k) // the order in which a warp's lanes come to it
            x[i] -= l[k][i] * x[k];
    return true;
}

/// Solves |A| x = g, |A| being A with its eigenvalues' signs dropped and the small ones raised, angles
/// counted in arcs of `radius` metres: uphill for every A that is not zero.
HD inline void solveAnyway(const double (&a)[6][6], const double (&g)[6], double radius, double (&x)[6]) {
    double scaled[6][6], v[6][6], scale[6];
    for (int i = 0; i < 6; ++i)
        scale[i] = i < 3 ? 1 : 1 / radius;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            scaled[i][j] = a[i][j] * scale[i] * scale[j];
    jacobiEigen(scaled, v);
    double largest = 0;
    for (int i = 0; i < 6; ++i)
        largest = std::fabs(scaled[i][i]) > largest ? std::fabs(scaled[i][i]) : largest;
    for (int i = 0; i < 6; ++i)
        x[i] = 0;
    for (int k = 0; k < 6; ++k) {
        const double size = std::fabs(scaled[k][k]), least = kLeastCurvature * largest;
        double along = 0;
        for (int i = 0; i < 6; ++i)
            along += v[k][i] * g[i] * scale[i];
        along /= size > least ? size : least;
        for (int i = 0; i < 6; ++i)
            x[i] += v[k][i] * along * scale[i];
    }
}

/// What solvePositive gives for a gradient and Hessian, when something else has worked it out already.
struct NdtSolved {
    double x[6];
    bool positive;
};

/// A Newton step uphill. Returns its length, 0 where there is nothing to climb; `step` may be longer than
/// what one wants to take. `radius` is the points' spread in metres, above 0.
HD inline double newtonStep(const NdtTotals& at, double radius, double (&step)[6],
                            const NdtSolved* solved = nullptr) {
    double a[6][6], g[6], slope = 0, largest = 0;
    for (int i = 0; i < 6; ++i) {
        g[i] = at.gradient(i);
        slope += std::fabs(g[i]);
        for (int j = 0; j < 6; ++j) {
            a[i][j] = -at.hessian(i, j);
            largest += std::fabs(a[i][j]);
        }
        step[i] = 0;
    }
    // nothing to climb, or not numbers
    if (!(slope > 0) || !(slope <= 1e300) || !(largest > 0) || !(largest <= 1e150))
        return 0;
    double up = 0, square = 0;
    for (int i = 0; solved && i < 6; ++i)
        step[i] = solved->x[i];
    if (solved ? solved->positive : solvePositive(a, g, step))
        for (int i = 0; i < 6; ++i)
            up += g[i] * step[i];
    if (!(up > 0) || !(up <= 1e300)) {
        solveAnyway(a, g, radius, step);
        up = 0;
        for (int i = 0; i < 6; ++i)
            up += g[i] * step[i];
    }
    for (int i = 0; i < 6; ++i)
        square += step[i] * step[i];
    if (up > 0 && square <= 1e300)
        return std::sqrt(square);
    for (int i = 0; i < 6; ++i) // of a matrix that is nothing beside its gradient
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
