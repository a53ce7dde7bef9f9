#pragma once
// Declares the layout of binary STL: a title of 80 bytes, a 32-bit count, and 50 bytes per triangle. STL has
// single precision, which can't represent survey coordinates. The writer therefore stores coordinates
// relative to an origin, which the title states.
#include "kernels/core/vec3.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scanloupe::detail {

inline constexpr std::size_t kStlTitleBytes = 80, kStlFacetsOffset = kStlTitleBytes + 4;
inline constexpr std::size_t kStlFacetBytes = 50,
                             kStlNormalBytes = 12; ///< sizes of a facet and of its normal, which comes first

/// Formats an origin for messages and for the title of an STL file, for example "512800 5403700 250".
std::string originText(Vec3d origin);
/// Returns a title such as "Scanloupe, relative to 512800 5403700 250"; without "Scanloupe, " if that would
/// not fit into 80 bytes.
std::string stlTitle(Vec3d origin);
/// Returns the origin that a title of stlTitle() states; nullopt if the title states no origin.
std::optional<Vec3d> stlOrigin(std::string_view title);

} // namespace scanloupe::detail
