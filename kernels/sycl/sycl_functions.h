#pragma once
// Declares the binary interface between the program and the SYCL library.
#include "kernels/sycl/sycl_device.h"

namespace scanloupe {

/// Version of the interface; must be increased with each change of SyclDevice or of the signatures in
/// SyclFunctions.
inline constexpr int kSyclInterface = 2;

/// The functions of the library. Created once, and kept until the process ends.
struct SyclFunctions {
    int interface = kSyclInterface;
    /// Returns the devices, including unusable ones.
    std::vector<std::shared_ptr<const SyclDevice>> (*devices)() = nullptr;
};

inline constexpr const char* kSyclSymbol = "scanloupeSycl";
using SyclFunction = const SyclFunctions* (*)();

} // namespace scanloupe
