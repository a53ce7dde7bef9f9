// Tests blocks of 32 points against an outline with the instruction set of the build.
#include "kernels/select/outline_block.h"

namespace scanloupe::cpu {

std::uint32_t outlineWord(const OutlinePredicate& outline, const Vec3f* points) {
    return outlineWordInline(outline, points);
}

} // namespace scanloupe::cpu
