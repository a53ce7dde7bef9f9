#pragma once
// Declares NVRTC, NVIDIA's runtime compiler, as a library that may be missing. It compiles in this process:
// only code of the program. For the code of users see compiledApart().
#include <string>
#include <vector>

namespace scanloupe::cuda {

/// Whether NVRTC is there.
bool hasNvrtc();

/// Compiles CUDA C++ to a cubin. Products and sums round one by one. @param architecture such as "sm_90"
/// @throws KernelError when there is no NVRTC, or when it refuses the source: with the beginning of its log
std::vector<char> compiledForDevice(const std::string& source, const std::string& architecture);

/// What NVRTC makes of a source.
struct CompiledPtx {
    std::string ptx;
    std::string log; ///< why the source is refused; empty: it is not
};

/// Compiles CUDA C++ to PTX with the lines of its source, as a part of a module. @param architecture such as
/// "compute_90"
/// @throws KernelError when there is no NVRTC
CompiledPtx compiledToPtx(const std::string& source, const std::string& architecture);

} // namespace scanloupe::cuda
