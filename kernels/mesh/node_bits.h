#pragma once
// The signs of a brick's samples as bits: most of the time of a dense field's extraction on the CPU goes
// here.
#include <cstdint>

namespace scanloupe::cpu {

/// Sets 8 words of nodes that are inside and 8 of nodes that have a sample, from the brick's 512 `values`.
void nodeBits(const float* values, float iso, bool insideBelow, std::uint64_t* inside, std::uint64_t* known);

} // namespace scanloupe::cpu
