#pragma once
// Declares the order of triangles along a Hilbert curve.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe::cuda {

/// A mesh as arguments of kernels.
struct MeshView {
    const Vec3f* positions;
    const std::uint32_t* indices;
    std::uint32_t vertices, triangles;
};

/// Sorts the mesh's triangles along the Hilbert curve. Asynchronous. @throws KernelError
Buffer<std::uint32_t> orderTrianglesAlongCurve(const MeshView& mesh, StreamView stream);

} // namespace scanloupe::cuda
