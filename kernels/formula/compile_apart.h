#pragma once
// Declares the compilation of users' code in a separate process.
#include <stop_token>
#include <string>

namespace scanloupe::cuda {

/// Compiles CUDA C++ to PTX as compiledToPtx(), in a process (`scanloupe-nvrtc`) that cannot open files, and
/// that is stopped after kMaxCompilerWallSeconds, after kMaxCompilerSeconds of CPU time, and when it
/// allocates more than kMaxCompilerBytes. The executable lies next to the program, or in the folder of a
/// package.
/// @throws KernelError when there is no NVRTC, or when it refuses the source: "line N: …" of the source that
/// begins with `#line 1 "FILE"`; Cancelled
std::string compiledApart(const std::string& source, const std::string& file, const std::string& architecture,
                          const std::stop_token& stop);

} // namespace scanloupe::cuda
