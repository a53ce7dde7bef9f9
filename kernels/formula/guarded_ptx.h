#pragma once
// Declares what makes functions that people write safe to run: bounds for their loops and for their memory.
#include <string>
#include <string_view>

namespace scanloupe::cuda {

/// What stopped a guarded function, as it stands in the variable `scanloupe_fault` of its module: the kind
/// times 2^24, and the line of the source; 0: nothing.
enum class GuardFault : unsigned { none, time, memory };

/// PTX of a module whose functions (not its kernels) end their thread, and note a GuardFault, when
/// - a loop goes on after the time `scanloupe_deadline`, a variable of the module: ns of %globaltimer;
/// - they read or write beside the arrays that they or the module declare.
/// @param file of the source whose lines are noted, as the PTX names it
/// @throws KernelError with the line, where a function does what can't be bounded or checked: recursion,
/// pointers to functions or to memory of others, atomics, barriers, inline assembly, arrays of more than 4
/// KiB
std::string guardedPtx(std::string_view ptx, std::string_view file);

} // namespace scanloupe::cuda
