#pragma once
// Declares the boxes of a tree in a layout for the CPU: sibling boxes are adjacent and compared
// simultaneously.
#include "kernels/core/buffer.h"
#include "kernels/mesh/distance/bvh.h"

#include <array>
#include <cstdint>
#include <stop_token>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace scanloupe::cpu {

/// A vector of four floats.
using Lanes [[gnu::vector_size(16)]] = float;
static_assert(kBvhWidth == 4);

/// Returns a bit for each lane that is <= the limit or NaN.
inline unsigned lanesUpTo(Lanes values, float limit) {
#ifdef __SSE2__
    return unsigned(_mm_movemask_ps(_mm_cmple_ps(values, _mm_set1_ps(limit))));
#else
    unsigned mask = 0;
    for (int lane = 0; lane < int(kBvhWidth); ++lane)
        mask |= unsigned(values[lane] <= limit) << lane;
    return mask;
#endif
}

/// The boxes of four siblings; missing siblings are empty boxes.
struct SiblingBoxes {
    std::array<Lanes, 3> low, high;
};

/// The boxes of a tree, grouped by siblings.
class WideBoxes {
public:
    WideBoxes() = default;
    /// Copies the boxes of `tree`. @throws KernelError when out of memory; Cancelled.
    WideBoxes(const BvhView& tree, const std::stop_token& stop);

    int levels() const { return m_shape.levels; }
    /// Returns the children of a box on the level `below`.
    const SiblingBoxes& childrenOf(std::uint32_t box, int below) const {
        return m_boxes[m_begins[std::size_t(below)] + box];
    }
    unsigned childCount(std::uint32_t box, int below) const {
        const std::uint64_t rest = m_shape.levelSizes[below] - std::uint64_t{box} * kBvhWidth;
        return unsigned(rest < kBvhWidth ? rest : kBvhWidth);
    }
    Box3f box() const { return m_box; } ///< returns the bounding box of all items

    static std::uint64_t bytesFor(std::uint64_t items) {
        return items * sizeof(SiblingBoxes) / 3 / kLeafItems;
    }

private:
    BvhView m_shape{};                                   ///< only the sizes and begins of its levels are used
    std::array<std::uint64_t, kMaxBvhLevels> m_begins{}; ///< begin of each level in `m_boxes`
    Buffer<SiblingBoxes> m_boxes;                        ///< boxes of all levels, leaves first
    Box3f m_box = emptyBox();
};

} // namespace scanloupe::cpu
