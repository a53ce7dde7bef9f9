#include "kernels/mesh/box_tree.h"

#include "kernels/core/error.h"

#include <limits>
#include <string>

namespace scanloupe {

BoxTreeView boxTreeShape(std::uint64_t items) {
    if (items >= std::numeric_limits<std::uint32_t>::max())
        throw KernelError("a search over " + std::to_string(items) + " triangles or points is too large",
                          "Take a larger voxel size or a smaller range.");
    BoxTreeView shape{};
    shape.items = items;
    std::uint64_t size = (items + kLeafItems - 1) / kLeafItems, begin = 0;
    while (size > 0) {
        shape.levelBegins[shape.levels] = begin;
        shape.levelSizes[shape.levels++] = size;
        begin += size;
        size = size > 1 ? (size + kTreeFan - 1) / kTreeFan : 0;
    }
    return shape;
}

} // namespace scanloupe
