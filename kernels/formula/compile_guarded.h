#pragma once
// Declares modules of kernels around users' code.
#include "kernels/formula/guarded_ptx.h"

#include <stop_token>
#include <string>

namespace scanloupe::cuda {

/// The parts of a module around a user's code.
struct ModuleSource {
    std::string types;     ///< structs shared by kernels and code
    std::string result;    ///< return type of the function
    std::string parameter; ///< type of its one parameter
    std::string function;  ///< name of the function in the user's code
    /// Kernels that call `scanloupe_function`. The first parameter of each is the number of the first thread:
    /// unsigned long long.
    std::string kernels;
};

/// A module as PTX, and its symbols.
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
