#pragma once
// Defines copies of host memory to the device.
#include "kernels/core/buffer.h"

#include <span>

namespace scanloupe {

/// Copies host values to the device. Asynchronous: `values` must exist until `stream` has read them. @throws
/// KernelError
template <class T>
Buffer<T> deviceCopy(std::span<const T> values, StreamView stream) {
    auto copy = Buffer<T>::in(MemorySpace::device, values.size(), stream);
    if (!values.empty())
        detail::copyBytes(copy.data(), MemorySpace::device, values.data(), MemorySpace::host, copy.bytes(),
                          stream);
    return copy;
}

} // namespace scanloupe
