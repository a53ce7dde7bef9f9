#pragma once
// Tests blocks of 32 points against an outline, in loops that compilers vectorize. Wider vectors halve the
// time and give identical results.
#include "kernels/select/point_predicates.h"

#include <array>
#include <bit>

namespace scanloupe::cpu {

/// Number of points per word of a PointSet.
inline constexpr std::size_t kWordPoints = 32;

/// Returns one bit for each of 32 points: 1 if the point is within the outline. Uses the widest vectors of
/// the processor.
std::uint32_t outlineWord(const OutlinePredicate& outline, const Vec3f* points);

/// Same as outlineWord(), compiled for the instruction set of the caller.
[[gnu::always_inline]] inline std::uint32_t outlineWordInline(const OutlinePredicate& outline,
                                                              const Vec3f* points) {
    const ViewWindow window = outline.window;
    std::array<std::int32_t, kWordPoints> x, y;
    std::array<float, kWordPoints> px, py, pz, depth;
    std::array<std::uint32_t, kWordPoints> isIn;
    for (std::size_t i = 0; i < kWordPoints; ++i) {
        px[i] = points[i].x;
        py[i] = points[i].y;
        pz[i] = points[i].z;
    }
    for (std::size_t i = 0; i < kWordPoints; ++i) {
        const Vec3f p{px[i], py[i], pz[i]};
        const ViewWindow::Place at = window.placeOf(p);
        const bool isThere = isPresent(p) & window.holds(at);
        isIn[i] = isThere;
        x[i] = std::int32_t(isThere ? at.x : 0.0f);
        y[i] = std::int32_t(isThere ? at.y : 0.0f);
        depth[i] = at.depth;
    }
    std::uint32_t word = 0;
    const std::uint32_t* pixels = outline.pixels;
    const std::int32_t rowWords = outline.rowWords;
    for (std::size_t i = 0; i < kWordPoints; ++i)
        word |= (pixels[y[i] * rowWords + (x[i] >> 5)] >> (x[i] & 31) & isIn[i]) << i;
    for (std::uint32_t left = outline.nearest ? word : 0; left != 0; left &= left - 1) {
        const auto i = std::size_t(std::countr_zero(left));
        if (!outline.isSeen(x[i], y[i], depth[i]))
            word &= ~(1u << i);
    }
    return word;
}

} // namespace scanloupe::cpu
