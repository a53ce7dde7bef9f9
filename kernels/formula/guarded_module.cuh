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

/// A module that NVRTC has compiled from a CUDA file, whose functions are guarded, see guardedModule(). The
/// user's code is compiled separately, so that it cannot change the kernels.
class GuardedModule {
public:
    /// Compiles and loads a module. @throws KernelError with the line of the file if the code is rejected;
    /// also if NVRTC is missing, or newer than the driver; Cancelled
    GuardedModule(const ModuleSource& source, const TrustedCudaFile& file, const std::stop_token& stop);
    ~GuardedModule();
    GuardedModule(const GuardedModule&) = delete;
    GuardedModule& operator=(const GuardedModule&) = delete;

    /// Runs a kernel with one thread for each of `count` elements, in launches of some hundredths of a
    /// second, and waits until it has finished. @param arguments arguments of the kernel after the first one
    /// @throws KernelError with the line of the file if a thread runs longer than two seconds, or accesses
    /// memory outside its arrays; Cancelled
    void run(const char* kernel, std::size_t count, std::span<void* const> arguments,
             const std::stop_token& stop, StreamView stream) const;

private:
    GuardNames m_names;
    cudaLibrary_t m_library = nullptr;
};

} // namespace scanloupe::cuda
