#pragma once
// Declares the resource limits and the answers of the process that compiles users' code.
#include <cstdint>

namespace scanloupe::cuda {

inline constexpr const char* kCompilerProgram = "scanloupe-nvrtc";
inline constexpr std::uint64_t kMaxCompilerBytes = std::uint64_t{2} << 30; ///< limit of address space
inline constexpr int kMaxCompilerSeconds = 20;                             ///< limit of CPU time
inline constexpr int kMaxCompilerWallSeconds = 60;

/// The first byte of an answer; the rest is PTX or a log.
enum class CompilerAnswer : char { ptx = 'p', log = 'l', noNvrtc = 'n', outOfMemory = 'm' };

} // namespace scanloupe::cuda
