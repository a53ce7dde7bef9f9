#pragma once
// Declares the order of triangles along a Hilbert curve.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe::cuda {

/// Pointers and sizes of a mesh, as an argument of kernels.
struct MeshView {
    const Vec3f* positions;
    const std::uint32_t* indices;
    std::uint32_t vertices, triangles;
};

/// Sorts the mesh's triangles along a Hilbert curve. Asynchronous. @returns [triangles] their indices in this
/// order @throws KernelError
Buffer<std::uint32_t> orderTrianglesAlongCurve(const MeshView& mesh, StreamView stream);

} // namespace scanloupe::cuda
