// Builds bounding volume hierarchies on the CPU, bottom-up over items sorted along the Hilbert curve.
#include "kernels/core/parallel.h"
#include "kernels/mesh/core/mesh_subset.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/hilbert_order.h"

#include <algorithm>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kBvhGrain = std::size_t{1} << 14;
template <class ItemAt, class BoxOf>
Bvh build(std::size_t count, ItemAt&& itemAt, BoxOf&& boxOf, const std::stop_token& stop) {
    Bvh tree;
    tree.shape = bvhShape(count);
    if (count == 0)
        return tree;
    const auto middleOf = [&](std::uint64_t item) { return boxCentre(boxOf(item)); };
    tree.order = hilbertOrder<KeyIndex>(count, boxAround(count, itemAt, middleOf, stop), hilbertBits(count),
                                        itemAt, middleOf, stop);
    const BvhView& shape = tree.shape;
    const int top = shape.levels - 1;
    tree.boxes = Buffer<Box3f>::host(shape.levelBegins[top] + shape.levelSizes[top]);
    parallelFor(shape.levelSizes[0], kBvhGrain / kLeafItems, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t leaf = begin; leaf < end; ++leaf) {
            Box3f box = emptyBox();
            const std::size_t last = std::min<std::size_t>(count, BvhView::leafBegin(leaf + 1));
            for (std::size_t i = BvhView::leafBegin(leaf); i < last; ++i)
                box = joined(box, boxOf(tree.order[i]));
            tree.boxes[leaf] = box;
        }
    });
    for (int level = 1; level <= top; ++level) {
        const Box3f* below = tree.boxes.data() + shape.levelBegins[level - 1];
        const std::uint64_t belowSize = shape.levelSizes[level - 1];
        Box3f* boxes = tree.boxes.data() + shape.levelBegins[level];
        parallelFor(shape.levelSizes[level], kBvhGrain / kBvhWidth, stop,
                    [&](std::size_t begin, std::size_t end) {
                        for (std::size_t i = begin; i < end; ++i) {
                            boxes[i] = emptyBox();
                            const std::size_t last = std::min<std::size_t>(belowSize, (i + 1) * kBvhWidth);
                            for (std::size_t child = i * kBvhWidth; child < last; ++child)
                                boxes[i] = joined(boxes[i], below[child]);
                        }
                    });
    }
    return tree;
}

} // namespace

Bvh buildTriangleBvh(const TriangleMesh& mesh, const std::stop_token& stop) {
    const auto positions = mesh.positions.span();
    const auto indices = mesh.indices.span();
    return build(
        mesh.triangleCount(), [](std::size_t i) { return std::uint64_t{i}; },
        [&](std::uint64_t t) {
            const Vec3f a = positions[indices[3 * t]], b = positions[indices[3 * t + 1]],
                        c = positions[indices[3 * t + 2]];
            return Box3f{min(min(a, b), c), max(max(a, b), c)};
        },
        stop);
}

Bvh buildPointBvh(std::span<const Vec3f> points, const std::stop_token& stop) {
    const auto finite =
        selectIndices(points.size(), stop, [&](std::size_t i) { return isFinite(points[i]); });
    return build(
        finite.size(), [&](std::size_t i) { return finite[i]; },
        [&](std::uint64_t i) {
            return Box3f{points[i], points[i]};
        },
        stop);
}

Bvh buildBoxBvh(std::span<const Box3f> boxes, const std::stop_token& stop) {
    return build(
        boxes.size(), [](std::size_t i) { return std::uint64_t{i}; },
        [&](std::uint64_t i) { return boxes[i]; }, stop);
}

} // namespace scanloupe::cpu
