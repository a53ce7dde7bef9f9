#pragma once
// Declares the error of operations that need a device in a build without nvcc.
namespace scanloupe::detail {

inline constexpr char kNoCudaReason[] = "this build has no CUDA backend";
inline constexpr char kNoCudaNextStep[] = "Take the CPU backend, or build with the CUDA Toolkit installed.";

/// @throws KernelError always
[[noreturn]] void throwNoCuda();

} // namespace scanloupe::detail
