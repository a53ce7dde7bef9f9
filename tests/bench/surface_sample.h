#pragma once
// The four kernels of marching cubes from the CUDA samples, as a baseline. Defined in surface_sample.cu, or
// in surface_unavailable.cpp in a build without nvcc.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <memory>
#include <span>

namespace scanloupe::bench {

/// Figures of a triangle soup that do not depend on the order of its triangles.
struct SoupSummary {
    std::uint64_t activeCells = 0, triangles = 0;
    Vec3d cornerSum;         ///< sum over all corners
    double normalLength = 0; ///< mean over all corners
};

/// The scheme of the CUDA samples, reimplemented from its description without improvements. One thread per
/// voxel finds the voxel's case. Exclusive scans sum the flag "is active" and the number of vertices; both
/// sums are read back. A list of the active voxels is compacted. One thread per active voxel writes its
/// triangles as a soup of positions and normals with four floats each.
class SampleMarchingCubes {
public:
    /// @param values [edge^3] x fastest. @note Synchronizes. @throws KernelError
    SampleMarchingCubes(std::span<const float> values, int edge, float iso, bool insideBelow,
                        StreamView stream);
    ~SampleMarchingCubes();
    SampleMarchingCubes(const SampleMarchingCubes&) = delete;
    SampleMarchingCubes& operator=(const SampleMarchingCubes&) = delete;

    /// Computes the soup in preallocated memory. @note Synchronizes.
    void run(StreamView stream);
    /// The result of the last run. @note Synchronizes.
    SoupSummary summary(StreamView stream);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Bytes of the device's L2 cache.
std::uint64_t l2Bytes();

} // namespace scanloupe::bench
