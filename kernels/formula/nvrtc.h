#pragma once
// Declares NVRTC, NVIDIA's runtime compiler, as an optional library. It compiles in this process: only for
// the program's own code. For users' code see compiledApart().
#include <string>
#include <vector>

namespace scanloupe::cuda {

/// Whether NVRTC is available.
bool hasNvrtc();

/// Compiles CUDA C++ to a cubin. Products and sums are rounded separately. @param architecture such as
/// "sm_90"
/// @throws KernelError when NVRTC is missing, or rejects the source: with the beginning of its log
std::vector<char> compiledForDevice(const std::string& source, const std::string& architecture);

/// The result of compiling a source.
struct CompiledPtx {
    std::string ptx;
    std::string log; ///< why the source is rejected; empty: it is not
};

/// Compiles CUDA C++ to PTX with the lines of its source, as a part of a module. @param architecture such as
/// "compute_90"
/// @throws KernelError when there is no NVRTC
CompiledPtx compiledToPtx(const std::string& source, const std::string& architecture);

} // namespace scanloupe::cuda
