#pragma once
// Declares the guards that make users' functions safe to run: bounds on their time and their memory.
#include <stop_token>
#include <string>
#include <string_view>

namespace scanloupe::cuda {

/// What stopped a guarded function. The variable GuardNames::fault of its module holds this kind times 2^24,
/// plus the line of the source; 0: nothing stopped it.
enum class GuardFault : unsigned { none, time, memory, jump };

/// Threads of a block that runs guarded functions, along x.
inline constexpr unsigned kGuardThreads = 256;

/// Symbols of a module that the user's source cannot guess.
struct GuardNames {
    std::string function;  ///< the function that kernels call
    std::string fault;     ///< a 32-bit variable in device memory: see GuardFault
    std::string deadlines; ///< deadline of each thread of a block, in shared memory: ns of %globaltimer

    /// Makes names with 128 bits from the system's random number generator.
    static GuardNames random();
};

/// A module of kernels that call a function, and of that function, which was compiled separately. Only code
/// that the function calls is included. It ends its thread and records a GuardFault when
/// - it runs longer than two seconds in that thread, which is checked in loops and at the start of functions;
/// - it reads or writes outside of the arrays that its source declares, or at an address that isn't a
///   multiple of the size;
/// - it jumps to a target that is not a case of a switch, or ends without returning.
/// Threads that begin after a fault end at once.
/// @param kernels PTX with the declaration of `names.function` @param functions PTX with its definition
/// @param file the source whose line numbers are recorded, as the PTX names it
/// @throws KernelError with the line, for code that cannot be bounded or checked: recursion, pointers to
/// functions or to memory outside of the function, arrays of more than 4 KiB, inline assembly, and any
/// instruction or directive that is not known to work on values alone; names that PTX reserves; where the
/// module has kernels, more than 512 KiB, or calls more than 64 deep; Cancelled
std::string guardedModule(std::string_view kernels, std::string_view functions, std::string_view file,
                          const GuardNames& names, const std::stop_token& stop = {});

} // namespace scanloupe::cuda
