#pragma once
// Declares the resource limits of the process that compiles users' code, and its kinds of answers.
#include <cstdint>

namespace scanloupe::cuda {

inline constexpr const char* kCompilerProgram = "scanloupe-nvrtc";
inline constexpr std::uint64_t kMaxCompilerBytes = std::uint64_t{2} << 30; ///< limit of address space, bytes
inline constexpr int kMaxCompilerSeconds = 20;                             ///< limit of CPU time, seconds
inline constexpr int kMaxCompilerWallSeconds = 60;

/// The first byte of an answer. The PTX or a log follows.
enum class CompilerAnswer : char { ptx = 'p', log = 'l', noNvrtc = 'n', outOfMemory = 'm' };

} // namespace scanloupe::cuda
