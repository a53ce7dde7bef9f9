#pragma once
// Declares checks in the PTX of one function.
#include "kernels/formula/guarded_ptx.h"
#include "kernels/formula/ptx_module.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>

namespace scanloupe::cuda {

struct GuardedFunction {
    std::string text;
    std::map<std::string, std::uint64_t> calls;  ///< functions, and the line of the source that calls them
    std::set<std::string> symbols;               ///< arrays of the module that it names
    std::set<std::string, std::less<>> declared; ///< names of its parameters, arrays, registers and labels
    std::uint64_t registers = 0;
    std::uint64_t stackBytes = 0; ///< of arrays and parameters
    std::uint64_t divisions = 0;  ///< and roots, which the assembler expands; in double precision twice
};

/// What bounds the work on a function.
struct GuardLimits {
    std::size_t bytes = 0; ///< of the text
    std::stop_token stop;
};

/// A function with the checks of guardedModule(). @throws KernelError as that; Cancelled
GuardedFunction guardedFunction(const PtxModule& module, const PtxFunction& function, const GuardNames& names,
                                const GuardLimits& limits);

/// @throws KernelError "line N WHAT", or "the code WHAT" where the line is 0
[[noreturn]] void refuseFunction(std::uint64_t line, const std::string& what);
/// @throws KernelError: the text is longer than allowed
[[noreturn]] void refuseLength();

} // namespace scanloupe::cuda
