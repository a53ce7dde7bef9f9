#pragma once
// Sorts keys on the device together with their values.
#include "kernels/voxelize/core/cuda_job.cuh"

namespace scanloupe::cuda {

/// Sorts `keys` [V] ascending together with `values` [V], in place. Compares only the lowest bits that keys
/// below `cells` use.
void sortByKey(const Job& job, std::uint64_t cells, Buffer<std::uint64_t>& keys,
               Buffer<std::uint32_t>& values);

/// Sets places[values[i]] = i.
void invertPermutation(const Buffer<std::uint32_t>& values, Buffer<std::uint32_t>& places, StreamView stream);

} // namespace scanloupe::cuda
