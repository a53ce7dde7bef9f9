#pragma once
// Declares modules of kernels around users' code.
#include "kernels/formula/guarded_ptx.h"

#include <stop_token>
#include <string>

namespace scanloupe::cuda {

/// The parts of a module around a user's code.
struct ModuleSource {
    std::string types;     ///< source of structs that the kernels and the user's code share
    std::string result;    ///< return type of the user's function
    std::string parameter; ///< type of its only parameter
    std::string function;  ///< name of the function in the user's code
    /// Source of kernels that call `scanloupe_function`. The first parameter of each kernel is the number of
    /// its first thread: unsigned long long.
    std::string kernels;
};

/// A module as PTX, and the names of its symbols.
struct GuardedPtx {
    GuardNames names;
    std::string ptx;
};

/// Checks and compiles `code`, separately from the kernels: see checkedSource(), compiledApart() and
/// guardedModule().
/// @param architecture such as "compute_90" @throws KernelError with the line of the code; Cancelled
GuardedPtx compileGuarded(const ModuleSource& source, const std::string& code,
                          const std::string& architecture, const std::stop_token& stop);

} // namespace scanloupe::cuda
