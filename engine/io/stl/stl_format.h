#pragma once
// Declares the layout of binary STL: a title of 80 bytes, a count and 50 bytes a triangle. Single precision
// can't represent survey coordinates, so the title of written files states the origin that they are relative
// to.
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
/// "Scanloupe, relative to 512800 5403700 250"; without the name where it would not fit.
std::string stlTitle(Vec3d origin);
/// The origin in such a title.
std::optional<Vec3d> stlOrigin(std::string_view title);

} // namespace scanloupe::detail
