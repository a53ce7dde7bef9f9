#pragma once
// Declares the error thrown by device operations in a build without nvcc.
namespace scanloupe::detail {

inline constexpr char kNoCudaReason[] = "this build has no CUDA backend";
inline constexpr char kNoCudaNextStep[] = "Use the CPU backend, or build with the CUDA Toolkit installed.";

/// Throws the error that this build has no CUDA backend. @throws KernelError always
[[noreturn]] void throwNoCuda();

} // namespace scanloupe::detail
