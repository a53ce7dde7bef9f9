#pragma once
// The published four kernels of marching cubes, as a baseline: surface_sample.cu, or surface_unavailable.cpp
// in a build without nvcc.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <memory>
#include <span>

namespace scanloupe::bench {

/// A soup in figures that do not depend on its order.
struct SoupSummary {
    std::uint64_t activeCells = 0, triangles = 0;
    Vec3d cornerSum;         ///< of all positions
    double normalLength = 0; ///< the mean over all corners
};

/// The scheme of the CUDA samples, reimplemented from its description without improvements: one thread a
/// voxel finds its case; exclusive scans of "is active" and of the number of vertices, each read back; a list
/// of the active voxels; one thread an active voxel writes its triangles as a soup of positions and normals,
/// four floats each.
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
