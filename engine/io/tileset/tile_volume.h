#pragma once
// Declares transforms and bounding volumes of 3D Tiles.
#include "kernels/core/vec3.h"

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace scanloupe {

struct Bounds;

/// A matrix of a tile: column by column, as in the file.
using TileTransform = std::array<double, 16>;

/// Transforms a position (`one` is 1) or a direction (0).
Vec3d placed(const TileTransform& to, Vec3d v, double one);

/// The numbers of a list; empty unless it has exactly `count` of them.
std::vector<double> numbersOf(const nlohmann::ordered_json& json, std::size_t count);

/// The axis-aligned box around a `boundingVolume`: an oriented box or a sphere after a transform, or a region
/// of the WGS 84 ellipsoid in geocentric metres, which no transform moves. None for other volumes.
std::optional<Bounds> boxOf(const nlohmann::ordered_json& volume, const TileTransform& to);

} // namespace scanloupe
