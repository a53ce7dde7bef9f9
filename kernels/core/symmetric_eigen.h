#pragma once
// Computes eigenvalues and eigenvectors of small symmetric matrices by Jacobi's method (Golub and Van Loan,
// Matrix Computations, 8.5). Uses only + - * / and sqrt, so that both backends compute the same bits.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

#include <cmath>

namespace scanloupe {

/// The upper half of a symmetric matrix.
struct Symmetric3f {
    float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
};

/// Eigenvalues in ascending order, and their unit eigenvectors.
struct Eigen3f {
    float values[3];
    Vec3f vectors[3];
};

namespace detail {
/// Applies the Jacobi rotation of rows and columns p and q of `a` that makes a[p][q] zero, and rotates rows p
/// and q of `v` accordingly.
/// @param steep above this cotangent of twice the angle, the tangent is approximated without a square root
template <int N, class T>
HD inline void jacobiRotate(T (&a)[N][N], T (&v)[N][N], int p, int q, T steep) {
    const T apq = a[p][q];
    if (apq == 0)
        return;
    const T theta = (a[q][q] - a[p][p]) / (2 * apq), size = std::fabs(theta);
    const T t = size > steep ? T(0.5) / size : 1 / (size + squareRoot(size * size + 1));
    const T tangent = theta < 0 ? -t : t;
    const T c = 1 / squareRoot(tangent * tangent + 1), s = tangent * c;
    a[p][p] -= tangent * apq;
    a[q][q] += tangent * apq;
    a[p][q] = a[q][p] = 0;
    for (int r = 0; r < N; ++r) {
        if (r != p && r != q) {
            const T rp = a[r][p], rq = a[r][q];
            a[r][p] = a[p][r] = c * rp - s * rq;
            a[r][q] = a[q][r] = s * rp + c * rq;
        }
        const T vp = v[p][r], vq = v[q][r];
        v[p][r] = c * vp - s * vq;
        v[q][r] = s * vp + c * vq;
    }
}
/// Swaps eigenpairs i and j if they are not in ascending order. Call it with constant i and j: arrays indexed
/// by variables do not stay in a GPU's registers.
HD inline void sortPair(Eigen3f& eigen, int i, int j) {
    if (!(eigen.values[j] < eigen.values[i]))
        return;
    const float value = eigen.values[i];
    const Vec3f vector = eigen.vectors[i];
    eigen.values[i] = eigen.values[j];
    eigen.vectors[i] = eigen.vectors[j];
    eigen.values[j] = value;
    eigen.vectors[j] = vector;
}
} // namespace detail

/// Computes eigenvalues and eigenvectors. The matrix elements must be finite and far from overflow.
HD inline Eigen3f symmetricEigen(const Symmetric3f& m) {
    float a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    float v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 8; ++sweep) {
        const float off = std::fabs(a[0][1]) + std::fabs(a[0][2]) + std::fabs(a[1][2]);
        const float diagonal = std::fabs(a[0][0]) + std::fabs(a[1][1]) + std::fabs(a[2][2]);
        if (!(off > 1e-7f * diagonal))
            break; // off-diagonal elements are below the resolution of single precision
        detail::jacobiRotate(a, v, 0, 1, 1e10f);
        detail::jacobiRotate(a, v, 0, 2, 1e10f);
        detail::jacobiRotate(a, v, 1, 2, 1e10f);
    }
    Eigen3f result{{a[0][0], a[1][1], a[2][2]},
                   {{v[0][0], v[0][1], v[0][2]}, {v[1][0], v[1][1], v[1][2]}, {v[2][0], v[2][1], v[2][2]}}};
    detail::sortPair(result, 0, 1);
    detail::sortPair(result, 1, 2);
    detail::sortPair(result, 0, 1);
    return result;
}

/// Diagonalizes the symmetric, finite matrix `a`: the eigenvalues end up on its diagonal, and the unit
/// eigenvectors in the rows of `v`, both in ascending order of eigenvalues.
template <int N>
HD void jacobiEigen(double (&a)[N][N], double (&v)[N][N]) {
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            v[i][j] = i == j ? 1 : 0;
    for (int sweep = 0; sweep < 30; ++sweep) { // usually converges in six to ten sweeps
        double off = 0, diagonal = 0;
        for (int i = 0; i < N; ++i) {
            diagonal += a[i][i] * a[i][i];
            for (int j = i + 1; j < N; ++j)
                off += a[i][j] * a[i][j];
        }
        if (!(off > 1e-32 * diagonal))
            break;
        for (int p = 0; p < N - 1; ++p)
            for (int q = p + 1; q < N; ++q)
                detail::jacobiRotate(a, v, p, q, 1e100);
    }
    for (int i = 0; i < N - 1; ++i) {
        int least = i;
        for (int j = i + 1; j < N; ++j)
            if (a[j][j] < a[least][least])
                least = j;
        const double value = a[i][i];
        a[i][i] = a[least][least];
        a[least][least] = value;
        for (int r = 0; r < N; ++r) {
            const double swap = v[i][r];
            v[i][r] = v[least][r];
            v[least][r] = swap;
        }
    }
}

} // namespace scanloupe
