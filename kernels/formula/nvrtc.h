#pragma once
// Declares NVRTC, NVIDIA's runtime compiler, as a library that may be missing.
#include <string>
#include <vector>

namespace scanloupe::cuda {

/// Compiles CUDA C++ to a cubin. Products and sums round one by one. @param architecture such as "sm_90"
/// @throws KernelError when there is no NVRTC, or when it refuses the source: with the beginning of its log
std::vector<char> compiledForDevice(const std::string& source, const std::string& architecture);

/// Compiles CUDA C++ to PTX with the lines of its source. @param file that "#line" names in the source
/// @param architecture such as "compute_90"
/// @throws KernelError when there is no NVRTC, or when it refuses the source: with the line of `file`
std::string compiledToPtx(const std::string& source, const std::string& file,
                          const std::string& architecture);

} // namespace scanloupe::cuda
