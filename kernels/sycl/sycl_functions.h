#pragma once
// Declares what the program and the library of SYCL know of each other.
#include "kernels/sycl/sycl_device.h"

namespace scanloupe {

/// Grows with each change of SyclDevice or of what its functions take.
inline constexpr int kSyclInterface = 2;

/// Made once, and kept until the process ends.
struct SyclFunctions {
    int interface = kSyclInterface;
    /// The devices, also those that lack something.
    std::vector<std::shared_ptr<const SyclDevice>> (*devices)() = nullptr;
};

inline constexpr const char* kSyclSymbol = "scanloupeSycl";
using SyclFunction = const SyclFunctions* (*)();

} // namespace scanloupe
