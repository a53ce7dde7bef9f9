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
    std::map<std::string, std::uint64_t> calls;  ///< called functions, and the source lines of the calls
    std::set<std::string> symbols;               ///< arrays of the module that it uses
    std::set<std::string, std::less<>> declared; ///< names of its parameters, arrays, registers and labels
    std::uint64_t registers = 0;
    std::uint64_t stackBytes = 0; ///< total size of its arrays and parameters
    /// divisions and square roots, which the assembler expands; counted twice in double precision
    std::uint64_t divisions = 0;
};

/// Resource limits of a function.
struct GuardLimits {
    std::size_t bytes = 0; ///< maximum bytes of its text
    std::stop_token stop;
};

/// A function with the checks of guardedModule(). @throws KernelError as that; Cancelled
GuardedFunction guardedFunction(const PtxModule& module, const PtxFunction& function, const GuardNames& names,
                                const GuardLimits& limits);

/// @throws KernelError "line N WHAT", or "the code WHAT" if the line is 0
[[noreturn]] void refuseFunction(std::uint64_t line, const std::string& what);
/// @throws KernelError: the text is longer than allowed
[[noreturn]] void refuseLength();

} // namespace scanloupe::cuda
