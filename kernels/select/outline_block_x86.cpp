// Places blocks of points with AVX2 where the processor has it. A plain branch selects the version: the
// resolver of gnu::target_clones runs before the thread sanitizer is initialized.
#include "kernels/select/outline_block.h"

namespace scanloupe::cpu {

namespace {

[[gnu::target("avx2")]] void placeBlockAvx2(const ViewWindow& window, const Vec3f* points,
                                            OutlineBlock& block) {
    placeBlockInline(window, points, block);
}

} // namespace

void placeBlock(const ViewWindow& window, const Vec3f* points, OutlineBlock& block) {
    if (__builtin_cpu_supports("avx2"))
        placeBlockAvx2(window, points, block);
    else
        placeBlockInline(window, points, block);
}

} // namespace scanloupe::cpu
