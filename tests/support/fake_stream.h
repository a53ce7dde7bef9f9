#pragma once
// A stream without a device, for results on the host that act as results on a device.
#include "kernels/core/stream.h"

#include <cstddef>
#include <memory>

namespace scanloupe::test {

/// Nothing may be queued on it; copies between host buffers don't use it.
inline std::shared_ptr<const Stream> fakeStream() {
    alignas(Stream) static std::byte nothing[sizeof(Stream)] = {};
    return {std::make_shared<int>(), reinterpret_cast<const Stream*>(nothing)};
}

} // namespace scanloupe::test
