#pragma once
// Declares the guards that make users' functions safe to run: limits on their time and memory accesses.
#include <stop_token>
#include <string>
#include <string_view>

namespace scanloupe::cuda {

/// Why a guarded function was stopped. The module's variable GuardNames::fault stores this kind times 2^24,
/// plus the line of the source; 0: no function was stopped.
enum class GuardFault : unsigned { none, time, memory, jump };

/// Block size, along x, of kernels that call guarded functions.
inline constexpr unsigned kGuardThreads = 256;

/// Symbols of a module, with names that the user's source cannot guess.
struct GuardNames {
    std::string function;  ///< the function that kernels call
    std::string fault;     ///< 32-bit variable in device memory, see GuardFault
    std::string deadlines; ///< array in shared memory with the deadline of each thread of a block: ns of
                           ///< %globaltimer

    /// Generates names with 128 random bits from the system.
    static GuardNames random();
};

/// Links kernels with a user's function that was compiled separately, and adds runtime checks. Only code that
/// the function calls is included. A check ends its thread and records a GuardFault if
/// - the function runs longer than two seconds in that thread, which is checked in loops and at the start of
///   functions;
/// - the function accesses memory outside the arrays that its source declares, or at an address that is not a
///   multiple of the access size;
/// - the function jumps to a target that is not a case of a switch, or ends without returning.
/// Threads that begin after a fault end immediately.
/// @param kernels PTX that declares `names.function` @param functions PTX that defines it
/// @param file the source file, as the PTX names it, whose line numbers are recorded
/// @throws KernelError with the line, for code that cannot be bounded or checked: recursion, pointers to
/// functions or to memory outside the function, arrays of more than 4 KiB, inline assembly, any instruction
/// or directive that is not known to affect only values, names that PTX reserves, more than 512 KiB of code,
/// or calls more than 64 deep; for a module with kernels; Cancelled
std::string guardedModule(std::string_view kernels, std::string_view functions, std::string_view file,
                          const GuardNames& names, const std::stop_token& stop = {});

} // namespace scanloupe::cuda
