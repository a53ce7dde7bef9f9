#pragma once
// Declares the insertion of runtime checks into the PTX of one function.
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
    std::map<std::string, std::uint64_t> calls;  ///< names of called functions, with the source lines of the
                                                 ///< calls
    std::set<std::string> symbols;               ///< names of the module's arrays that the function uses
    std::set<std::string, std::less<>> declared; ///< names of the function's parameters, arrays, registers
                                                 ///< and labels
    std::uint64_t registers = 0;
    std::uint64_t stackBytes = 0; ///< total size of the function's arrays and parameters
    /// number of divisions and square roots, which the assembler expands; double precision counts twice
    std::uint64_t divisions = 0;
};

/// Resource limits of a function.
struct GuardLimits {
    std::size_t bytes = 0; ///< maximum length of the text, in bytes
    std::stop_token stop;
};

/// Returns a function with the runtime checks that guardedModule() describes. @throws KernelError as
/// guardedModule(); Cancelled
GuardedFunction guardedFunction(const PtxModule& module, const PtxFunction& function, const GuardNames& names,
                                const GuardLimits& limits);

/// Rejects the code. @throws KernelError "line N WHAT", or "the code WHAT" if the line is 0
[[noreturn]] void refuseFunction(std::uint64_t line, const std::string& what);
/// Rejects the code since its text is too long. @throws KernelError
[[noreturn]] void refuseLength();

} // namespace scanloupe::cuda
