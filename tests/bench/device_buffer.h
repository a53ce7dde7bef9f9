#pragma once
// Device memory for the arrays of benchmarks.
#include "kernels/core/buffer.h"

#include <cstddef>

namespace scanloupe::bench {

/// A buffer of `size` elements on the device, allocated in the order of `stream`.
template <class T>
Buffer<T> deviceBuffer(std::size_t size, StreamView stream) {
    return Buffer<T>::in(MemorySpace::device, size, stream);
}

} // namespace scanloupe::bench
