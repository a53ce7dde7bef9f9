// Measures groups of points with AVX-512 or AVX2 if the CPU supports it. A plain branch selects the version:
// the resolver of gnu::target_clones would run before the thread sanitizer is initialized. The warning is
// disabled, since vectors wider than the registers this file is compiled for are only passed between inlined
// functions.
#pragma GCC diagnostic ignored "-Wpsabi"
#include "kernels/mesh/distance/point_group.h"

namespace scanloupe::cpu {

namespace {

// the widest vectors of the CPU; 512-bit vectors are faster only in loops that consist entirely of vector
// operations
#define SCANLOUPE_AVX512 "avx512f,avx512dq,avx512vl,avx512bw,prefer-vector-width=512"

[[gnu::target(SCANLOUPE_AVX512)]] bool addCandidatesAvx512(std::span<const TriangleSlabs> triangles,
                                                           const Box3f& box, PointGroup& group) {
    return addCandidatesInline<8>(triangles, box, group);
}
[[gnu::target(SCANLOUPE_AVX512)]] void measureCandidatesAvx512(PointGroup& group) {
    measureCandidatesInline<8>(group);
}
[[gnu::target("avx2")]] bool addCandidatesAvx2(std::span<const TriangleSlabs> triangles, const Box3f& box,
                                               PointGroup& group) {
    return addCandidatesInline<4>(triangles, box, group);
}
[[gnu::target("avx2")]] void measureCandidatesAvx2(PointGroup& group) {
    measureCandidatesInline<4>(group);
}

bool hasAvx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

} // namespace

bool addCandidates(std::span<const TriangleSlabs> triangles, const Box3f& box, PointGroup& group) {
    if (hasAvx512())
        return addCandidatesAvx512(triangles, box, group);
    return __builtin_cpu_supports("avx2") ? addCandidatesAvx2(triangles, box, group)
                                          : addCandidatesInline<2>(triangles, box, group);
}

void measureCandidates(PointGroup& group) {
    if (hasAvx512())
        measureCandidatesAvx512(group);
    else if (__builtin_cpu_supports("avx2"))
        measureCandidatesAvx2(group);
    else
        measureCandidatesInline<2>(group);
}

} // namespace scanloupe::cpu
