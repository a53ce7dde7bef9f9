// Sums and solves the normal equations of fits.
#include "engine/inspect/fit/fit_equations.h"

#include "kernels/core/symmetric_eigen.h"

#include <algorithm>

namespace scanloupe {

void FitEquations::add(const FitMatch& match, Vec3d arm, RobustKernel kernel, double scale) {
    const double squared = match.distance * match.distance,
                 weight = robustError(kernel, squared, scale).weight;
    if (!(weight > 0))
        return;
    addFactor(rigid, arm, match.offset, match.information, kernel, scale);
    const Vec3d grown = times(match.information.m, arm) * weight, turned = cross(arm, grown);
    const double row[kTerms] = {grown.x, grown.y, grown.z, turned.x, turned.y, turned.z, dot(arm, grown)};
    const double alongNormal = dot(match.normal, times(match.information.m, match.normal));
    for (std::size_t i = 0; i < kTerms; ++i) {
        growth[i] += row[i];
        byNoise[i] += weight * alongNormal * match.squaredTilt * (i < 3 ? 1 : squaredNorm(arm));
    }
    growthGradient += dot(grown, match.offset);
    squares += weight * squared;
}

FitEquations operator+(FitEquations a, const FitEquations& b) {
    a.rigid.add(b.rigid);
    for (std::size_t i = 0; i < kTerms; ++i) {
        a.growth[i] += b.growth[i];
        a.byNoise[i] += b.byNoise[i];
    }
    a.growthGradient += b.growthGradient;
    a.squares += b.squares;
    return a;
}

double FitEquations::variance() const {
    return squares / std::max(rigid.weight() - double(kTerms), 1.0);
}

double FitStep::trace() const {
    double sum = 0;
    for (std::size_t i = 0; i < kTerms; ++i)
        sum += inverse[i][i];
    return sum;
}

FitStep FitEquations::solve(double size, bool scales) const {
    constexpr double weak = 1e-5, clearly = 3;
    double values[kTerms][kTerms] = {}, axes[kTerms][kTerms];
    for (std::size_t r = 0; r < kRigid; ++r) {
        for (std::size_t c = 0; c < kRigid; ++c)
            values[r][c] = rigid.hessian(int(r), int(c));
        values[r][kRigid] = values[kRigid][r] = scales ? growth[r] : 0;
    }
    values[kRigid][kRigid] = scales ? growth[kRigid] : 0;
    jacobiEigen(values, axes); // a scale that is not estimated has the value 0
    const double ofPlaces = variance() / (size * size) * rigid.weight();
    FitStep result;
    for (std::size_t k = 0; k < kTerms; ++k) {
        const double* axis = axes[k];
        double noise = 0, slope = axis[kRigid] * growthGradient;
        for (std::size_t i = 0; i < kTerms; ++i)
            noise += axis[i] * axis[i] * (byNoise[i] + (i == kRigid ? ofPlaces : 0));
        if (!(values[k][k] > std::max(weak * values[kTerms - 1][kTerms - 1], clearly * noise)))
            continue;
        for (std::size_t i = 0; i < kRigid; ++i)
            slope += axis[i] * rigid.gradient(int(i));
        ++result.held;
        for (std::size_t r = 0; r < kTerms; ++r) {
            result.step[r] -= axis[r] * slope / values[k][k];
            for (std::size_t c = 0; c < kTerms; ++c)
                result.inverse[r][c] += axis[r] * axis[c] / values[k][k];
        }
    }
    return result;
}

} // namespace scanloupe
