// Places blocks of points.
#include "kernels/select/outline_block.h"

namespace scanloupe::cpu {

void placeBlock(const ViewWindow& window, const Vec3f* points, OutlineBlock& block) {
    placeBlockInline(window, points, block);
}

} // namespace scanloupe::cpu
