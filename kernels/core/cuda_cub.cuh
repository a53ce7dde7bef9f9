#pragma once
// Runs algorithms of CUB with scratch memory from the stream-ordered pool.
#include "kernels/core/buffer.h"
#include "kernels/core/cuda_check.h"

#include <algorithm>

namespace scanloupe::cuda {

/// Calls a CUB algorithm twice, as CUB's interface requires: first to query the size of its scratch memory,
/// then to run it. `algorithm(memory, bytes)` must pass both to CUB and queue on `stream`. @throws
/// KernelError
template <class Algorithm>
void runCub(const char* name, StreamView stream, Algorithm&& algorithm) {
    std::size_t bytes = 0;
    check(algorithm(static_cast<void*>(nullptr), bytes), name);
    // at least one byte, since a null pointer would only query the size again
    auto scratch = Buffer<std::byte>::in(MemorySpace::device, std::max<std::size_t>(bytes, 1), stream);
    check(algorithm(static_cast<void*>(scratch.data()), bytes), name);
}

} // namespace scanloupe::cuda
