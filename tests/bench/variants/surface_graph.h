#pragma once
// Declares marching cubes as a CUDA graph, for repeated extractions from one field while a slider moves the
// iso-value.
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <memory>

namespace scanloupe::cuda {

/// A launch queues everything that an extraction needs, with no allocation and no read-back. The iso-value
/// lies on the device: another one needs no new recording.
class SurfaceGraph {
public:
    /// @param field on the device, which outlives this; its values and cells may change between launches, its
    /// bricks may not
    /// @param vertices, triangles that there is room for; it grows when a surface has more
    /// @param stream launches follow on this one, or on one that waits for it
    /// @throws KernelError
    SurfaceGraph(const ScalarField& field, std::uint64_t vertices, std::uint64_t triangles,
                 StreamView stream);
    ~SurfaceGraph();
    SurfaceGraph(const SurfaceGraph&) = delete;
    SurfaceGraph& operator=(const SurfaceGraph&) = delete;

    /// Queues an extraction. They share their workspace: launch them on one stream. Asynchronous.
    /// @throws KernelError for a NaN iso-value
    void launch(float iso, StreamView stream);

    /// A copy of the last surface on the device, with the same bytes as extractSurface's. Extracts it again
    /// with more room when there was too little, so the field must still be there. @note Synchronizes.
    /// @throws KernelError as extractSurface
    TriangleMesh result(StreamView stream);

    std::uint64_t vertexCapacity() const;
    std::uint64_t triangleCapacity() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace scanloupe::cuda
