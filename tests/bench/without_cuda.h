#pragma once
// Defines the body of the benchmark's device functions in a build without CUDA.
#include "kernels/core/error.h"

namespace scanloupe::bench {

/// Reports a call that can't happen: a build without CUDA finds no device.
/// @throws Fault always.
[[noreturn]] inline void refuseWithoutCuda() {
    throw Fault("the device's part of the benchmark was called in a build without CUDA");
}

} // namespace scanloupe::bench
