#pragma once
// Runs algorithms of CUB with scratch memory from the stream-ordered pool.
#include "kernels/core/buffer.h"
#include "kernels/core/cuda_check.h"

#include <algorithm>

namespace scanloupe::cuda {

/// Calls a CUB algorithm twice, as CUB's interface requires: for the size of its scratch memory, and to run.
/// The algorithm takes that memory and its size in bytes, and queues on `stream`. @throws KernelError
template <class Algorithm>
void runCub(const char* name, StreamView stream, Algorithm&& algorithm) {
    std::size_t bytes = 0;
    check(algorithm(static_cast<void*>(nullptr), bytes), name);
    // a null pointer would query the size again
    auto scratch = Buffer<std::byte>::in(MemorySpace::device, std::max<std::size_t>(bytes, 1), stream);
    check(algorithm(static_cast<void*>(scratch.data()), bytes), name);
}

} // namespace scanloupe::cuda
