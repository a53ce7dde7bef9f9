#pragma once
// Declares the conversion of a brick's samples into sign bits, 64 at a time, on the CPU. For dense fields
// this conversion takes most of the surface extraction time.
#include <cstdint>

namespace scanloupe::cpu {

/// Computes two words per slice of a brick from its 512 `values`: [8] `inside`, the nodes inside the surface,
/// and [8] `known`, the nodes that have a sample.
void nodeBits(const float* values, float iso, bool insideBelow, std::uint64_t* inside, std::uint64_t* known);

} // namespace scanloupe::cpu
