#pragma once
// Declares the test that a device of SYCL has to pass before it is used.
#include "kernels/sycl/sycl_device.h"

#include <string>

namespace scanloupe {

/// Computes a small scene, and compares its bytes with those of the CPU: implementations that miscompile have
/// been seen. Takes a millisecond, and what compiling the kernels takes. @returns what is wrong, a sentence;
/// empty: nothing
std::string failureOfSelfTest(const SyclDevice& device);

} // namespace scanloupe
