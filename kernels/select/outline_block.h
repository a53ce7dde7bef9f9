#pragma once
// Places a block of points in a window, in loops that compilers vectorize. With wider vectors they take half
// the time, and round alike: the results are the same.
#include "kernels/select/point_predicates.h"

#include <array>

namespace scanloupe::cpu {

/// Where 32 points lie in a window.
struct OutlineBlock {
    static constexpr std::size_t kSize = 32;
    std::array<std::int32_t, kSize> x, y;  ///< pixels; 0 outside
    std::array<float, kSize> depth;        ///< metres along the view
    std::array<std::uint32_t, kSize> isIn; ///< 1 for a point that is there, in the window
};

/// Places 32 points, with the widest vectors of the processor.
void placeBlock(const ViewWindow& window, const Vec3f* points, OutlineBlock& block);

/// As placeBlock, compiled for the instruction set of the caller.
[[gnu::always_inline]] inline void placeBlockInline(ViewWindow window, const Vec3f* points,
                                                    OutlineBlock& block) {
    std::array<float, OutlineBlock::kSize> x, y, z;
    for (std::size_t i = 0; i < OutlineBlock::kSize; ++i) {
        x[i] = points[i].x;
        y[i] = points[i].y;
        z[i] = points[i].z;
    }
    for (std::size_t i = 0; i < OutlineBlock::kSize; ++i) {
        const Vec3f p{x[i], y[i], z[i]};
        const ViewWindow::Place at = window.placeOf(p);
        const bool isIn = isPresent(p) & window.holds(at);
        block.isIn[i] = isIn;
        block.x[i] = std::int32_t(isIn ? at.x : 0.0f);
        block.y[i] = std::int32_t(isIn ? at.y : 0.0f);
        block.depth[i] = at.depth;
    }
}

} // namespace scanloupe::cpu
