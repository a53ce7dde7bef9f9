// Converts a brick's samples into sign bits, in portable C++.
#include "kernels/field/core/node_bits.h"
#include "kernels/field/core/sample_element.h"
#include "kernels/field/core/scalar_field.h"

namespace scanloupe::cpu {

void nodeBits(const float* values, float iso, bool insideBelow, std::uint64_t* inside, std::uint64_t* known) {
    for (int z = 0; z < kBrickEdge; ++z) {
        std::uint64_t insideWord = 0, knownWord = 0;
        for (int i = 0; i < kBrickEdge * kBrickEdge; ++i, ++values) {
            insideWord |= std::uint64_t{isInside(*values, iso, insideBelow)} << i;
            knownWord |= std::uint64_t{isSample(*values)} << i;
        }
        inside[z] = insideWord;
        known[z] = knownWord;
    }
}

} // namespace scanloupe::cpu
