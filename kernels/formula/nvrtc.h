#pragma once
// Declares NVRTC, NVIDIA's runtime compiler, as an optional library. NVRTC compiles in this process, so it
// must be used only for the program's own code; for users' code see compiledApart().
#include <string>
#include <vector>

namespace scanloupe::cuda {

/// Returns whether NVRTC is available.
bool hasNvrtc();

/// Compiles CUDA C++ to a cubin. Products and sums are rounded separately. @param architecture such as
/// "sm_90"
/// @throws KernelError when NVRTC is missing, or rejects the source: with the beginning of its log
std::vector<char> compiledForDevice(const std::string& source, const std::string& architecture);

/// The result of compiling a source.
struct CompiledPtx {
    std::string ptx;
    std::string log; ///< reason why the source was rejected; empty on success
};

/// Compiles CUDA C++ to relocatable PTX with line information. @param architecture such as "compute_90"
/// @throws KernelError if NVRTC is missing
CompiledPtx compiledToPtx(const std::string& source, const std::string& architecture);

} // namespace scanloupe::cuda
