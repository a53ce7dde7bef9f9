#pragma once
// Computes eigenvectors of symmetric 3 x 3 matrices by Jacobi's method (Golub and Van Loan, Matrix
// Computations, 8.5), with + - * / and sqrt only, so that both backends get the same bits.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

#include <cmath>

namespace scanloupe {

/// The upper half of a symmetric matrix.
struct Symmetric3f {
    float xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
};

/// Eigenvalues, ascending, and their unit eigenvectors.
struct Eigen3f {
    float values[3];
    Vec3f vectors[3];
};

namespace detail {
/// Rotates axes p and q so that a[p][q] vanishes; column i of v is the i-th vector.
HD inline void jacobiRotate(float (&a)[3][3], Vec3f (&v)[3], int p, int q) {
    const float off = a[p][q];
    if (off == 0.0f)
        return;
    const float theta = (a[q][q] - a[p][p]) / (2.0f * off);
    const float magnitude = std::fabs(theta);
    const float t =
        magnitude > 1e10f ? 0.5f / magnitude : 1.0f / (magnitude + std::sqrt(theta * theta + 1.0f));
    const float tangent = theta < 0.0f ? -t : t;
    const float c = 1.0f / std::sqrt(tangent * tangent + 1.0f), s = tangent * c;
    const int r = 3 - p - q;
    a[p][p] -= tangent * off;
    a[q][q] += tangent * off;
    a[p][q] = a[q][p] = 0.0f;
    const float rp = a[r][p], rq = a[r][q];
    a[r][p] = a[p][r] = c * rp - s * rq;
    a[r][q] = a[q][r] = s * rp + c * rq;
    const Vec3f vp = v[p], vq = v[q];
    v[p] = vp * c - vq * s;
    v[q] = vp * s + vq * c;
}
/// Call it with constants for i and j: arrays that are indexed by variables do not stay in a GPU's registers.
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

/// Eigenvalues and eigenvectors; entries must be finite and far from overflow.
HD inline Eigen3f symmetricEigen(const Symmetric3f& m) {
    float a[3][3] = {{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    Vec3f v[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 8; ++sweep) {
        const float off = std::fabs(a[0][1]) + std::fabs(a[0][2]) + std::fabs(a[1][2]);
        const float diagonal = std::fabs(a[0][0]) + std::fabs(a[1][1]) + std::fabs(a[2][2]);
        if (!(off > 1e-7f * diagonal))
            break; // below the resolution of single precision
        detail::jacobiRotate(a, v, 0, 1);
        detail::jacobiRotate(a, v, 0, 2);
        detail::jacobiRotate(a, v, 1, 2);
    }
    Eigen3f result{{a[0][0], a[1][1], a[2][2]}, {v[0], v[1], v[2]}};
    detail::sortPair(result, 0, 1);
    detail::sortPair(result, 1, 2);
    detail::sortPair(result, 0, 1);
    return result;
}

} // namespace scanloupe
