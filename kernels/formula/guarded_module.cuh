#pragma once
// Loads functions that people write for the device, and bounds what they do.
#include "kernels/core/stream.h"

#include <cuda_runtime.h>
#include <memory>
#include <span>
#include <string>

namespace scanloupe::cuda {

/// A module compiled by NVRTC from a CUDA file, whose functions are guarded: see guardedPtx().
class GuardedModule {
public:
    /// @param before, after the kernels around the file, and what the file may take; of the same names as
    /// another module, they are the same
    /// @param file as messages name it
    /// @throws KernelError with the line of the file when it is refused; when there is no NVRTC, or one that
    /// is newer than the driver
    GuardedModule(const std::string& before, const std::string& source, const std::string& after,
                  const std::string& file);
    ~GuardedModule();
    GuardedModule(const GuardedModule&) = delete;
    GuardedModule& operator=(const GuardedModule&) = delete;

    /// Runs a kernel of one thread for each of `count` elements, and waits for it.
    /// @throws KernelError with the line of the file when it takes longer than two seconds, or reads or
    /// writes beside its arrays
    void run(const char* kernel, std::size_t count, std::span<void* const> arguments,
             StreamView stream) const;

private:
    cudaLibrary_t m_library = nullptr;
};

} // namespace scanloupe::cuda
