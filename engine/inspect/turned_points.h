#pragma once
// Declares how points that face another way than a reference are left out.
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe {

struct Reference;
struct SignedDistances;

/// The feature of a point that was left out: no MeshFeature has all these bits.
inline constexpr std::uint8_t kTurned = 0xff;

/// Removes the distances of points whose normals differ by more than an angle from the reference's at its
/// nearest triangle or point, and sets their features to kTurned. Points without a normal, and those next to
/// references without one, are kept. @param points on the host @param normals [N] unit vectors or zero
/// @param degrees 0 to 180 @throws EngineError when the scan or the reference has no normals; KernelError;
/// Cancelled.
void leaveOutTurned(SignedDistances& distances, const Buffer<Vec3f>& points, const Buffer<Vec3f>& normals,
                    const Reference& reference, double degrees, const Execution& on);

} // namespace scanloupe
