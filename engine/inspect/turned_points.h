#pragma once
// Declares how points that face another way than a reference are left out.
#include "engine/inspect/reference.h"
#include "kernels/core/execution.h"

#include <cstdint>

namespace scanloupe {

/// The feature of a point that was left out: no MeshFeature has all these bits.
inline constexpr std::uint8_t kTurned = 0xff;

/// Takes the distances, and sets the features to kTurned, of points whose normals differ by more than an
/// angle from the reference's at its nearest triangle or point. Points and references without a normal keep
/// theirs.
/// @param points on the host @param normals [N] unit vectors or zero @param degrees 0 to 180
/// @throws EngineError when the scan or the reference has no normals; KernelError; Cancelled.
void leaveOutTurned(SignedDistances& distances, const Buffer<Vec3f>& points, const Buffer<Vec3f>& normals,
                    const Reference& reference, double degrees, const Execution& on);

} // namespace scanloupe
