#pragma once
// Declares what the process that compiles users' code may take, and how it answers.
#include <cstdint>

namespace scanloupe::cuda {

inline constexpr const char* kCompilerProgram = "scanloupe-nvrtc";
inline constexpr std::uint64_t kMaxCompilerBytes = std::uint64_t{2} << 30; ///< of address space
inline constexpr int kMaxCompilerSeconds = 20;                             ///< of a processor
inline constexpr int kMaxCompilerWallSeconds = 60;

/// The first byte of an answer; the rest is PTX or a log.
enum class CompilerAnswer : char { ptx = 'p', log = 'l', noNvrtc = 'n', outOfMemory = 'm' };

} // namespace scanloupe::cuda
