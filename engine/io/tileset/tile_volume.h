#pragma once
// Declares transforms and bounding volumes of 3D Tiles.
#include "kernels/core/vec3.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace scanloupe {

struct Bounds;

/// A 4 x 4 matrix of a tile, in column-major order as in the file.
using TileTransform = std::array<double, 16>;

/// Returns a transformed position (`one` is 1) or direction (`one` is 0).
Vec3d placed(const TileTransform& to, Vec3d v, double one);

/// Returns the numbers of a list; empty unless the list consists of exactly `count` numbers.
std::vector<double> numbersOf(const nlohmann::ordered_json& json, std::size_t count);

/// Returns the axis-aligned box around a `boundingVolume`. Oriented boxes and spheres are transformed by
/// `to`. Regions of the WGS 84 ellipsoid are converted to geocentric metres, without the transform. Returns
/// nullopt for other volumes.
std::optional<Bounds> boxOf(const nlohmann::ordered_json& volume, const TileTransform& to);

} // namespace scanloupe
