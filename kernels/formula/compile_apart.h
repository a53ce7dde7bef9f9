#pragma once
// Declares the compilation of users' code in a separate process.
#include <stop_token>
#include <string>

namespace scanloupe::cuda {

/// Compiles CUDA C++ to PTX like compiledToPtx(), in a separate process (`scanloupe-nvrtc`). The process
/// cannot open files, and is stopped after kMaxCompilerWallSeconds, after kMaxCompilerSeconds of CPU time, or
/// when it allocates more than kMaxCompilerBytes. Its executable is next to the program, or in the folder of
/// a package.
/// @throws KernelError if NVRTC is missing; if NVRTC rejects the source, with "line N: …", counted in the
/// part of the source that begins with `#line 1 "FILE"`; Cancelled
std::string compiledApart(const std::string& source, const std::string& file, const std::string& architecture,
                          const std::stop_token& stop);

} // namespace scanloupe::cuda
