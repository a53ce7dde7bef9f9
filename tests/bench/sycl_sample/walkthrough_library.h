#pragma once
// Declares the walk-through as compiled for SYCL, in a library that is loaded on demand.
#include "tests/bench/sycl_sample/walkthrough.h"

#include <string>

namespace scanloupe::bench {

inline constexpr const char* kWalkthroughLibrary = "scanloupe-sycl-walkthrough.so";
inline constexpr const char* kWalkthroughSymbol = "scanloupeWalkthrough";
/// Runs the walk-through `rounds` times on the device of this name; each step's time is the median. Returns
/// false if there is no such device, or if it fails.
using WalkthroughFunction = bool (*)(const std::string& device, const float* values, int edge, float iso,
                                     bool insideBelow, int rounds, WalkthroughResult& result);

} // namespace scanloupe::bench
