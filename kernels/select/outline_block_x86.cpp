// Tests blocks of 32 points against an outline, with AVX2 if the CPU supports it. A plain branch selects the
// version: the resolver of gnu::target_clones would run before the thread sanitizer is initialized.
#include "kernels/select/outline_block.h"

namespace scanloupe::cpu {

namespace {

[[gnu::target("avx2")]] std::uint32_t outlineWordAvx2(const OutlinePredicate& outline, const Vec3f* points) {
    return outlineWordInline(outline, points);
}

} // namespace

std::uint32_t outlineWord(const OutlinePredicate& outline, const Vec3f* points) {
    return __builtin_cpu_supports("avx2") ? outlineWordAvx2(outline, points)
                                          : outlineWordInline(outline, points);
}

} // namespace scanloupe::cpu
