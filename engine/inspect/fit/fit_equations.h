#pragma once
// Declares the normal equations of a step of a fit, and the directions that the surface determines.
#include "engine/inspect/fit/fit_matches.h"
#include "kernels/register/registration_factor.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// Terms of a step: three shifts, three rotations about the centre in units of 1 / size, and the change of
/// scale.
inline constexpr std::size_t kTerms = 7, kRigid = 6;
using FitRow = std::array<double, kTerms>;

/// A step along the directions that the surface determines.
struct FitStep {
    FitRow step{};
    std::array<FitRow, kTerms> inverse{}; ///< inverse of the Hessian within these directions
    int held = 0;                         ///< number of determined directions

    double trace() const; ///< returns the trace of `inverse`
};

/// The normal equations of a step: the sums of registration factors, and an additional row for the scale.
struct FitEquations {
    FactorSums rigid;
    FitRow growth{}; ///< row of the Hessian for the scale
    double growthGradient = 0;
    double squares = 0; ///< sum of weighted squared distances
    FitRow byNoise{};   ///< upper bound of what the noise of normals adds to the Hessian along each term

    /// Adds a match if it has a weight.
    /// @param arm vector from the centre to the point, in units of the size
    /// @param scale scale of the kernel, metres
    void add(const FitMatch& match, Vec3d arm, RobustKernel kernel, double scale);
    friend FitEquations operator+(FitEquations a, const FitEquations& b);

    std::uint64_t counted() const {
        return std::uint64_t(rigid.count());
    } ///< returns the number of points
      ///< with a weight
    /// Returns the variance of a distance, estimated from the residuals.
    double variance() const;
    /// Returns the least-squares step. On a plane, the noise of normals seems to determine shifts along the
    /// plane, and the noise of positions the scale, so a direction only counts as determined if the equations
    /// clearly exceed the noise.
    /// @param size metres
    /// @param scales whether the scale is estimated
    FitStep solve(double size, bool scales) const;
};

} // namespace scanloupe
