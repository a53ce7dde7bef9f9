#pragma once
// Declares the smoothing of meshes by a low-pass filter (Taubin, "A signal processing approach to fair
// surface design", 1995).
#include "kernels/core/queue/queue.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>

namespace scanloupe {

/// Parameters of the low-pass filter.
struct SmoothParams {
    std::uint32_t steps = 10; ///< number of steps; each moves all vertices twice, by lambda and by mu
    /// Frequency that the filter leaves unchanged, as an eigenvalue of the Laplacian (0: constant, 2:
    /// largest). Lower frequencies pass, higher ones are attenuated. In (0, 1).
    double passBand = 0.1;
};

/// Factors of the Laplacian by which the two halves of a step move vertices.
struct SmoothingFactors {
    float lambda; ///< positive: smooths
    float mu;     ///< negative: restores the volume
};
/// Returns factors with 1 / lambda + 1 / mu = passBand and with opposite gains at the frequencies 1 and 2, so
/// that the filter is fast and stable (Taubin, section 3). @throws KernelError unless `passBand` is in (0, 1)
SmoothingFactors smoothingFactors(double passBand);

/// A mesh with the same triangles, whose vertices were moved.
struct SmoothedMesh {
    TriangleMesh mesh;
    float maxMove = 0; ///< metres: largest distance by which a vertex was moved
};

/// Returns the additional memory that smoothing needs besides the given mesh and the result, bytes.
std::uint64_t smoothingBytes(std::uint64_t vertices, std::uint64_t triangles);

/// Moves vertices towards the mean of their neighbours and back, so that noise falls and the volume stays.
/// A vertex of a boundary edge has its neighbours along such edges only: the rim of an open surface is
/// smoothed as a curve, and the interior does not pull it in. Vertices without triangles stay. Normals are
/// those of the triangles around, weighted by area. Both meshes lie where it computes. @throws KernelError;
/// DeviceMemoryShort; Cancelled. @note Synchronizes.
SmoothedMesh smoothMesh(HostQueue& q, const TriangleMesh& mesh, const SmoothParams& params);
SmoothedMesh smoothMesh(CudaQueue& q, const TriangleMesh& mesh, const SmoothParams& params);
inline SmoothedMesh smoothMesh(const TriangleMesh& mesh, const SmoothParams& params, const Execution& on) {
    return onQueue(on, [&](auto& q) { return smoothMesh(q, mesh, params); });
}

} // namespace scanloupe
