// Computes the level sizes of bounding volume hierarchies.
#include "kernels/mesh/distance/bvh.h"

#include "kernels/core/error.h"

#include <limits>
#include <string>

namespace scanloupe {

BvhView bvhShape(std::uint64_t items) {
    if (items >= std::numeric_limits<std::uint32_t>::max())
        throw KernelError("a search tree of " + std::to_string(items) +
                              " triangles or points is too large; the limit is 2^32 - 2",
                          "Use a larger voxel size or a smaller range.");
    BvhView shape{};
    shape.items = items;
    std::uint64_t size = (items + kLeafItems - 1) / kLeafItems, begin = 0;
    while (size > 0) {
        shape.levelBegins[shape.levels] = begin;
        shape.levelSizes[shape.levels++] = size;
        begin += size;
        size = size > 1 ? (size + kBvhWidth - 1) / kBvhWidth : 0;
    }
    return shape;
}

} // namespace scanloupe
