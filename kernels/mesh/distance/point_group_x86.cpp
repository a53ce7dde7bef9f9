// Measures groups of points with AVX2 where the processor has it. A plain branch selects the version: the
// resolver of gnu::target_clones runs before the thread sanitizer is initialized.
#include "kernels/mesh/distance/point_group.h"

namespace scanloupe::cpu {

namespace {

[[gnu::target("avx2")]] bool addCandidatesAvx2(std::span<const TriangleSlabs> triangles, const Box3f& box,
                                               PointGroup& group) {
    return addCandidatesInline(triangles, box, group);
}
[[gnu::target("avx2")]] void measureCandidatesAvx2(PointGroup& group) {
    measureCandidatesInline(group);
}

} // namespace

bool addCandidates(std::span<const TriangleSlabs> triangles, const Box3f& box, PointGroup& group) {
    return __builtin_cpu_supports("avx2") ? addCandidatesAvx2(triangles, box, group)
                                          : addCandidatesInline(triangles, box, group);
}

void measureCandidates(PointGroup& group) {
    if (__builtin_cpu_supports("avx2"))
        measureCandidatesAvx2(group);
    else
        measureCandidatesInline(group);
}

} // namespace scanloupe::cpu
