#pragma once
// Loads functions that users write for the device, and limits their time and memory accesses.
#include "kernels/core/stream.h"
#include "kernels/formula/compile_guarded.h"
#include "kernels/formula/trusted_code.h"

#include <cuda_runtime.h>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace scanloupe::cuda {

/// A module compiled by NVRTC from a CUDA file, whose functions are guarded: see guardedModule(). The user's
/// code is compiled separately, so that it cannot change the kernels.
class GuardedModule {
public:
    /// @throws KernelError with the line of the file when it is rejected; when NVRTC is missing, or newer
    /// than the driver; Cancelled
    GuardedModule(const ModuleSource& source, const TrustedCudaFile& file, const std::stop_token& stop);
    ~GuardedModule();
    GuardedModule(const GuardedModule&) = delete;
    GuardedModule& operator=(const GuardedModule&) = delete;

    /// Runs a kernel of one thread for each of `count` elements, in launches of some hundredths of a second,
    /// and waits for it. @param arguments arguments of the kernel after the first one
    /// @throws KernelError with the line of the file when a thread runs longer than two seconds, or accesses
    /// memory outside of its arrays; Cancelled
    void run(const char* kernel, std::size_t count, std::span<void* const> arguments,
             const std::stop_token& stop, StreamView stream) const;

private:
    GuardNames m_names;
    cudaLibrary_t m_library = nullptr;
};

} // namespace scanloupe::cuda
