#pragma once
// Declares surfaces together with the bricks that their parts belong to, so that a large surface can be
// extracted piece by piece.
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The bricks that own vertices or triangles of a surface, ascending, as extractSurface() numbers them.
struct SurfaceBricks {
    std::vector<std::uint64_t> keys; ///< [A] as ScalarField::brickKeys
    /// [A + 1] first index of each brick; the last element: total
    std::vector<std::uint64_t> firstVertex, firstTriangle;

    std::size_t size() const { return keys.size(); }
};

/// A surface in the memory where it was computed, and its bricks.
struct BrickedSurface {
    TriangleMesh mesh;
    SurfaceBricks bricks;
};

namespace cpu {
/// As extractSurface. @throws as extractSurface
BrickedSurface extractBricks(const ScalarField& field, float iso, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::extractBricks, with the same bytes as its result; field and surface lie on the device.
/// @note Synchronizes with `stream`.
BrickedSurface extractBricks(const ScalarField& field, float iso, const std::stop_token& stop,
                             StreamView stream);
} // namespace cuda

} // namespace scanloupe
