#pragma once
// Declares the test that a SYCL device must pass before it is used.
#include "kernels/sycl/sycl_device.h"

#include <string>

namespace scanloupe {

/// Computes a small scene and compares its bytes with those of the CPU, since some SYCL implementations
/// miscompile. Takes a millisecond in addition to compiling the kernels.
/// @returns a sentence that describes the failure; empty on success
std::string failureOfSelfTest(const SyclDevice& device);

} // namespace scanloupe
