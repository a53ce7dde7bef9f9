#pragma once
// Declares the layout of binary STL: a title of 80 bytes, a count, and 50 bytes per triangle. Since single
// precision can't represent survey coordinates, the title of written files states the origin of the
// coordinates.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe::detail {

inline constexpr std::size_t kStlTitleBytes = 80, kStlFacetsOffset = kStlTitleBytes + 4;
inline constexpr std::size_t kStlFacetBytes = 50, kStlNormalBytes = 12; ///< a facet begins with its normal

/// Formats the origin of coordinates for messages and for the title of an STL file: "512800 5403700 250".
std::string originText(Vec3d origin);
/// Returns e.g. "Scanloupe, relative to 512800 5403700 250"; without "Scanloupe" if it would not fit.
std::string stlTitle(Vec3d origin);
/// Returns the origin stated in such a title; nullopt if there is none.
std::optional<Vec3d> stlOrigin(std::string_view title);

} // namespace scanloupe::detail
