#pragma once
// How algorithms of CUB get their scratch memory.
#include "kernels/core/buffer.h"
#include "kernels/core/cuda_check.h"

#include <algorithm>

namespace scanloupe::cuda {

/// Calls a CUB algorithm twice, as all of them want it: for the size of its scratch memory, and to run. The
/// algorithm takes that memory and its size in bytes, and queues on `stream`. @throws KernelError
template <class Algorithm>
void runCub(const char* name, StreamView stream, Algorithm&& algorithm) {
    std::size_t bytes = 0;
    check(algorithm(static_cast<void*>(nullptr), bytes), name);
    // no pointer would ask for the size again
    auto scratch = Buffer<std::byte>::in(MemorySpace::device, std::max<std::size_t>(bytes, 1), stream);
    check(algorithm(static_cast<void*>(scratch.data()), bytes), name);
}

} // namespace scanloupe::cuda
