// Sums and solves the normal equations of fits.
#include "engine/inspect/fit_equations.h"

#include "kernels/core/symmetric_eigen.h"

#include <algorithm>

namespace scanloupe {

void FitEquations::add(const FitMatch& match, Vec3d arm, double weight) {
    ++counted;
    weights += weight;
    squares += weight * match.distance * match.distance;
    for (std::size_t r = 0; r < kTerms; ++r) {
        const bool isShift = r >= 3 && r < kRigid;
        byNoise[r] += weight * match.squaredTilt * (isShift ? 1 : squaredNorm(arm));
    }
    // how the place moves along each axis: turns, shifts, growth
    const double moves[3][kTerms] = {{0, arm.z, -arm.y, 1, 0, 0, arm.x},
                                     {-arm.z, 0, arm.x, 0, 1, 0, arm.y},
                                     {arm.y, -arm.x, 0, 0, 0, 1, arm.z}};
    double held[3][kTerms] = {};
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (std::size_t other = 0; other < 3; ++other)
            for (std::size_t c = 0; c < kTerms; ++c)
                held[axis][c] += weight * match.information[axis][other] * moves[other][c];
    FitRow alongNormal{};
    for (std::size_t c = 0; c < kTerms; ++c)
        for (int axis = 0; axis < 3; ++axis)
            alongNormal[c] += match.normal[axis] * moves[axis][c];
    for (std::size_t r = 0; r < kTerms; ++r) {
        for (std::size_t c = 0; c < kTerms; ++c)
            for (std::size_t axis = 0; axis < 3; ++axis)
                matrix[r][c] += moves[axis][r] * held[axis][c];
        for (int axis = 0; axis < 3; ++axis)
            right[r] -= held[axis][r] * match.offset[axis];
    }
    for (std::size_t r = 0; r < kTerms; ++r)
        for (std::size_t c = 0; c < kTerms; ++c)
            normals[r][c] += weight * alongNormal[r] * alongNormal[c];
}

FitEquations operator+(FitEquations a, const FitEquations& b) {
    for (std::size_t r = 0; r < kTerms; ++r) {
        for (std::size_t c = 0; c < kTerms; ++c)
            a.matrix[r][c] += b.matrix[r][c];
        a.right[r] += b.right[r];
        a.byNoise[r] += b.byNoise[r];
    }
    for (std::size_t r = 0; r < kTerms; ++r)
        for (std::size_t c = 0; c < kTerms; ++c)
            a.normals[r][c] += b.normals[r][c];
    a.weights += b.weights;
    a.squares += b.squares;
    a.counted += b.counted;
    return a;
}

double FitEquations::variance() const {
    return squares / std::max(weights - double(kTerms), 1.0);
}

std::vector<FitRow> FitEquations::heldDirections(double size, bool scales) const {
    constexpr double weak = 1e-5, clearly = 3;
    const std::size_t terms = scales ? kTerms : kRigid;
    double values[kTerms][kTerms] = {}, axes[kTerms][kTerms];
    for (std::size_t r = 0; r < terms; ++r)
        for (std::size_t c = 0; c < terms; ++c)
            values[r][c] = normals[r][c];
    jacobiEigen(values, axes); // terms that are not fitted are 0
    std::vector<FitRow> held;
    for (std::size_t k = 0; k < kTerms; ++k) {
        double noise = 0;
        for (std::size_t r = 0; r < kTerms; ++r)
            noise += axes[k][r] * axes[k][r] *
                     (byNoise[r] + (r == kRigid ? variance() / (size * size) * weights : 0));
        if (values[k][k] > std::max(weak * values[kTerms - 1][kTerms - 1], clearly * noise))
            std::ranges::copy(axes[k], held.emplace_back().begin());
    }
    return held;
}

std::optional<std::array<FitRow, kTerms>>
FitEquations::inverseWithin(const std::vector<FitRow>& directions) const {
    double within[kTerms][kTerms] = {}, axes[kTerms][kTerms];
    for (std::size_t r = 0; r < directions.size(); ++r)
        for (std::size_t c = 0; c < directions.size(); ++c)
            for (std::size_t i = 0; i < kTerms; ++i)
                for (std::size_t j = 0; j < kTerms; ++j)
                    within[r][c] += directions[r][i] * matrix[i][j] * directions[c][j];
    jacobiEigen(within, axes); // rows that are not there are 0
    double largest = within[kTerms - 1][kTerms - 1];
    if (!(largest > 0))
        return std::nullopt;
    std::array<FitRow, kTerms> inverse{};
    for (std::size_t k = 0; k < kTerms; ++k) {
        if (!(within[k][k] > 1e-12 * largest))
            continue;
        FitRow along{};
        for (std::size_t d = 0; d < directions.size(); ++d)
            for (std::size_t i = 0; i < kTerms; ++i)
                along[i] += axes[k][d] * directions[d][i];
        for (std::size_t r = 0; r < kTerms; ++r)
            for (std::size_t c = 0; c < kTerms; ++c)
                inverse[r][c] += along[r] * along[c] / within[k][k];
    }
    return inverse;
}

} // namespace scanloupe
