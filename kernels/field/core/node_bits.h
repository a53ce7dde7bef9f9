#pragma once
// Declares the conversion of a brick's samples into sign bits, 64 at a time, on the CPU. For dense fields
// this takes most of the time of the extraction.
#include <cstdint>

namespace scanloupe::cpu {

/// Sets 8 words of nodes that are inside and 8 of nodes that have a sample, from the brick's 512 `values`.
void nodeBits(const float* values, float iso, bool insideBelow, std::uint64_t* inside, std::uint64_t* known);

} // namespace scanloupe::cpu
