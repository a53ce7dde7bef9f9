// Copies the boxes of trees into a layout for the CPU.
#include "kernels/mesh/distance/wide_boxes.h"

#include "kernels/core/parallel.h"

namespace scanloupe::cpu {

WideBoxes::WideBoxes(const BvhView& tree, const std::stop_token& stop) : m_shape(tree) {
    constexpr std::size_t grain = 4096;
    if (m_shape.levels == 0)
        return;
    m_box = tree.boxes[tree.levelBegins[tree.levels - 1]];
    std::uint64_t groups = 0;
    for (int level = 0; level < m_shape.levels; ++level) {
        m_begins[std::size_t(level)] = groups;
        groups += chunkCount(m_shape.levelSizes[level], kBvhWidth);
    }
    m_boxes = Buffer<SiblingBoxes>::host(groups);
    for (int level = 0; level < m_shape.levels; ++level) {
        const Box3f* boxes = tree.boxes + m_shape.levelBegins[level];
        const std::uint64_t size = m_shape.levelSizes[level];
        SiblingBoxes* to = m_boxes.data() + m_begins[std::size_t(level)];
        parallelFor(chunkCount(size, kBvhWidth), grain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t group = begin; group < end; ++group)
                for (std::size_t k = 0; k < kBvhWidth; ++k) {
                    const std::uint64_t at = group * kBvhWidth + k;
                    const Box3f box = at < size ? boxes[at] : emptyBox();
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        to[group].low[axis][int(k)] = box.low[int(axis)];
                        to[group].high[axis][int(k)] = box.high[int(axis)];
                    }
                }
        });
    }
}

} // namespace scanloupe::cpu
