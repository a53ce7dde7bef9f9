#pragma once
// Declares the normal equations of a fit's step, and the directions that the surface constrains.
#include "engine/inspect/fit/fit_matches.h"
#include "kernels/register/registration_factor.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// Terms of a step: shifts, turns about the middle in units of 1 / size, growth.
inline constexpr std::size_t kTerms = 7, kRigid = 6;
using FitRow = std::array<double, kTerms>;

/// A step, along the directions that the surface holds.
struct FitStep {
    FitRow step{};
    std::array<FitRow, kTerms> inverse{}; ///< of the Hessian within these directions
    int held = 0;                         ///< number of directions

    double trace() const; ///< of the inverse
};

/// The normal equations of a step: the sums of registration factors, and a row for growth.
struct FitEquations {
    FactorSums rigid;
    FitRow growth{}; ///< row of the Hessian
    double growthGradient = 0;
    double squares = 0; ///< sum of weighted squared distances
    FitRow byNoise{};   ///< what normals' noise adds to the Hessian, along each term at most

    /// Adds a match, if it has a weight. @param arm of the point from the middle, in units of the size
    /// @param scale of the kernel, metres
    void add(const FitMatch& match, Vec3d arm, RobustKernel kernel, double scale);
    friend FitEquations operator+(FitEquations a, const FitEquations& b);

    std::uint64_t counted() const { return std::uint64_t(rigid.count()); } ///< points with a weight
    /// Of a distance, by those that are left.
    double variance() const;
    /// The step of least squares. On a plane, shifts along it seem to be held by the noise of normals, and
    /// growth by that of places, too: clearly more is asked for. @param size metres @param scales whether
    /// growth is fitted
    FitStep solve(double size, bool scales) const;
};

} // namespace scanloupe
