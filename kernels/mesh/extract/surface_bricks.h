#pragma once
// Declares surfaces with the bricks that own their vertices and triangles, so that a large surface can be
// extracted in pieces.
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The A bricks that own vertices or triangles of a surface, ascending, in the order of extractSurface().
struct SurfaceBricks {
    std::vector<std::uint64_t> keys; ///< [A] see ScalarField::brickKeys
    /// [A + 1] first index of each brick; the last element is the total
    std::vector<std::uint64_t> firstVertex, firstTriangle;

    std::size_t size() const { return keys.size(); }
};

/// A surface in the memory of the backend that computed it, and its bricks.
struct BrickedSurface {
    TriangleMesh mesh;
    SurfaceBricks bricks;
};

namespace cpu {
/// Extracts a surface like extractSurface(), with its bricks. @throws as extractSurface
BrickedSurface extractBricks(const ScalarField& field, float iso, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::extractBricks, with an identical result; field and surface are on the device.
/// @note Synchronizes with `stream`.
BrickedSurface extractBricks(const ScalarField& field, float iso, const std::stop_token& stop,
                             StreamView stream);
} // namespace cuda

} // namespace scanloupe
