#pragma once
// Keys that were found in any order, sorted, with what belongs to each.
#include "kernels/voxelize/cuda_job.cuh"

namespace scanloupe::cuda {

/// Sorts `keys` [V] ascending by the bits that `cells` needs, and `values` [V] with them; both end up in
/// these buffers.
void sortByKey(const Job& job, std::uint64_t cells, Buffer<std::uint64_t>& keys,
               Buffer<std::uint32_t>& values);

/// places[values[i]] = i.
void invertPermutation(const Buffer<std::uint32_t>& values, Buffer<std::uint32_t>& places, StreamView stream);

} // namespace scanloupe::cuda
