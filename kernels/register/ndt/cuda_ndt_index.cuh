#pragma once
// Builds the hash index NdtIndex in device memory.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt/cuda_ndt.cuh"

#include <string>

namespace scanloupe::cuda {

/// Checks the number of cells. @throws KernelError if an index cannot contain this number
inline void requireTable(std::uint64_t cells) {
    if (cells >= kMaxNdtCells)
        throw KernelError("a map of " + std::to_string(cells) + " cells is too large for the device",
                          "Use a larger resolution.");
}

/// Allocates the empty buckets of an index of `count` entries.
inline Buffer<std::uint32_t> newBuckets(std::uint64_t count, StreamView stream) {
    auto buckets = Buffer<std::uint32_t>::in(MemorySpace::device, ndtBucketCount(count) * kNdtBucket, stream);
    check(cudaMemsetAsync(buckets.data(), 0xff, buckets.bytes(), ownStream(stream)), "cudaMemsetAsync");
    return buckets;
}

/// Fills an index from any number of threads. The position of an entry depends on the order of the threads,
/// but the result of a look-up does not.
class IndexBuilder {
public:
    IndexBuilder(std::uint32_t* buckets, std::uint64_t count)
        : m_buckets(buckets), m_index(ndtIndex(buckets, count)) {}

    __device__ void insert(std::uint64_t hash, std::uint32_t at) const {
        const std::uint32_t entry = ndtEntry(hash, m_index.bits) | at;
        const std::uint64_t entries = (m_index.mask + 1) * kNdtBucket;
        std::uint64_t place = (hash & m_index.mask) * kNdtBucket;
        while (atomicCAS(m_buckets + place, kNoNdtEntry, entry) != kNoNdtEntry)
            place = (place + 1) & (entries - 1);
    }

private:
    std::uint32_t* m_buckets;
    NdtIndex m_index;
};

} // namespace scanloupe::cuda
