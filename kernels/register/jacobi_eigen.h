#pragma once
// Computes eigenvalues and eigenvectors of small symmetric matrices by Jacobi's method (Golub, Van Loan:
// Matrix Computations, 8.5). It uses only + - * / and sqrt, so that both backends get the same bits.
#include "kernels/core/hd.h"

#include <cmath>

namespace scanloupe {

/// Diagonalizes `a`, symmetric and finite, into its eigenvalues, and sets `v` to unit eigenvectors, one per
/// row, both in ascending order.
template <int N>
HD void jacobiEigen(double (&a)[N][N], double (&v)[N][N]) {
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            v[i][j] = i == j ? 1 : 0;
    for (int sweep = 0; sweep < 30; ++sweep) { // six to ten are needed
        double off = 0, diagonal = 0;
        for (int i = 0; i < N; ++i) {
            diagonal += a[i][i] * a[i][i];
            for (int j = i + 1; j < N; ++j)
                off += a[i][j] * a[i][j];
        }
        if (!(off > 1e-32 * diagonal))
            break;
        for (int p = 0; p < N - 1; ++p) {
            for (int q = p + 1; q < N; ++q) {
                const double apq = a[p][q];
                if (apq == 0)
                    continue;
                const double theta = (a[q][q] - a[p][p]) / (2 * apq), size = std::fabs(theta);
                const double t = size > 1e100 ? 0.5 / size : 1 / (size + std::sqrt(size * size + 1));
                const double tangent = theta < 0 ? -t : t;
                const double c = 1 / std::sqrt(tangent * tangent + 1), s = tangent * c;
                a[p][p] -= tangent * apq;
                a[q][q] += tangent * apq;
                a[p][q] = a[q][p] = 0;
                for (int r = 0; r < N; ++r) {
                    if (r != p && r != q) {
                        const double rp = a[r][p], rq = a[r][q];
                        a[r][p] = a[p][r] = c * rp - s * rq;
                        a[r][q] = a[q][r] = s * rp + c * rq;
                    }
                    const double vp = v[p][r], vq = v[q][r];
                    v[p][r] = c * vp - s * vq;
                    v[q][r] = s * vp + c * vq;
                }
            }
        }
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
