#pragma once
// Declares what makes functions that users write safe to run: bounds for their time and for their memory.
#include <stop_token>
#include <string>
#include <string_view>

namespace scanloupe::cuda {

/// What stopped a guarded function, as it stands in the variable GuardNames::fault of its module: the kind
/// times 2^24, and the line of the source; 0: nothing.
enum class GuardFault : unsigned { none, time, memory, jump };

/// Threads of a block that runs guarded functions, along x.
inline constexpr unsigned kGuardThreads = 256;

/// Symbols of a module, which the source can't know.
struct GuardNames {
    std::string function;  ///< that kernels call
    std::string fault;     ///< a 32-bit variable in device memory: see GuardFault
    std::string deadlines; ///< of the threads of a block, in shared memory: ns of %globaltimer

    /// With 128 bits from the system's source of random numbers.
    static GuardNames random();
};

/// A module of kernels that call a function, and of that function, which was compiled on its own. Only what
/// the function calls is taken over. It ends its thread, and notes a GuardFault, when
/// - it takes longer than two seconds in that thread: seen in loops, and where functions begin;
/// - it reads or writes beside the arrays that its source declares, or at an address that isn't a multiple of
///   the size;
/// - it jumps to no case of a switch, or ends without returning.
/// Threads that begin after a fault end at once.
/// @param kernels PTX with the declaration of `names.function` @param functions PTX with its definition
/// @param file of the source whose lines are noted, as the PTX names it
/// @throws KernelError with the line, where a function does what can't be bounded or checked: recursion,
/// pointers to functions or to memory of others, arrays of more than 4 KiB, inline assembly, and any
/// instruction or directive that is not known to work on values alone; names that PTX keeps for itself; where
/// the module has kernels, more than 512 KiB, or calls more than 64 deep; Cancelled
std::string guardedModule(std::string_view kernels, std::string_view functions, std::string_view file,
                          const GuardNames& names, const std::stop_token& stop = {});

} // namespace scanloupe::cuda
