#pragma once
// Declares the packing of points for a file: without loss, by the planes of their bytes.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// Packs points: bytes of equal weight lie together, since the high ones of neighbouring points are nearly
/// the same, and zlib packs their runs.
std::vector<char> packPoints(std::span<const Vec3f> points);
/// @param points receives as many as were packed @throws EngineError when the data is damaged
void unpackPoints(std::span<const char> packed, std::span<Vec3f> points);

} // namespace scanloupe
