// Locates blocks of points with the instruction set of the build.
#include "kernels/voxelize/core/locate_block.h"

namespace scanloupe::cpu {

void locateBlock(const VoxelCells& cells, const Vec3f* from, PointBlock& block) {
    locateBlockInline(cells, from, block);
}

} // namespace scanloupe::cpu
