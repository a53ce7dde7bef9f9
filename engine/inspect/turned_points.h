#pragma once
// Declares how points are excluded whose normals differ from the reference's.
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe {

struct Reference;
struct SignedDistances;

/// The feature of a point that was left out. No MeshFeature has all of these bits set.
inline constexpr std::uint8_t kTurned = 0xff;

/// Removes the distances of points whose normals differ by more than an angle from the normal of the nearest
/// triangle or point of the reference, and sets their features to kTurned. Points are kept if they, or the
/// reference next to them, have no normal.
/// @param points on the host
/// @param normals [N] unit vectors or zero
/// @param degrees maximum angle, 0 to 180
/// @throws EngineError if the scan or the reference has no normals; KernelError; Cancelled.
void leaveOutTurned(SignedDistances& distances, const Buffer<Vec3f>& points, const Buffer<Vec3f>& normals,
                    const Reference& reference, double degrees, const Execution& on);

} // namespace scanloupe
