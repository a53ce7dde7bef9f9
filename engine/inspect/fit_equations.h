#pragma once
// Declares the normal equations of a fit's step, and what of them the surface holds.
#include "engine/inspect/fit_matches.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace scanloupe {

/// Terms of a step: turns about the middle in units of 1 / size, shifts, growth.
inline constexpr std::size_t kTerms = 7, kRigid = 6;
using FitRow = std::array<double, kTerms>;

/// The normal equations of a step: sums over matches.
struct FitEquations {
    double matrix[kTerms][kTerms] = {};
    double normals[kTerms][kTerms] = {}; ///< of distances along normals: what the surface holds
    FitRow right{};
    double weights = 0, squares = 0; ///< sums; of weighted squared distances
    double byNoise[kTerms] = {};     ///< what normals' noise adds to `normals`, along each term at most
    std::uint64_t counted = 0;       ///< points whose weight is not zero

    /// @param arm of the point from the middle, in units of the size @param weight above 0
    void add(const FitMatch& match, Vec3d arm, double weight);
    friend FitEquations operator+(FitEquations a, const FitEquations& b);

    /// Of a distance, by those that are left.
    double variance() const;
    /// The directions that the surface holds: unit vectors. Growth is among them where it is fitted. On a
    /// plane, shifts along it seem to be held by the noise of normals, and growth by that of places, too:
    /// clearly more is asked for. @param size metres @param scales whether growth is fitted
    std::vector<FitRow> heldDirections(double size, bool scales) const;
    /// The inverse of the matrix within some directions; none if there is none.
    std::optional<std::array<FitRow, kTerms>> inverseWithin(const std::vector<FitRow>& directions) const;
};

} // namespace scanloupe
