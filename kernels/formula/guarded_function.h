#pragma once
// Declares checks in the PTX of one function.
#include "kernels/formula/guarded_ptx.h"
#include "kernels/formula/ptx_module.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace scanloupe::cuda {

struct GuardedFunction {
    std::string text;
    std::map<std::string, std::uint64_t> calls; ///< functions, and the line of the source that calls them
    std::set<std::string> symbols;              ///< arrays of the module that it names
};

/// A function with the checks of guardedModule(). @throws KernelError as that
GuardedFunction guardedFunction(const PtxModule& module, const PtxFunction& function,
                                const GuardNames& names);

/// @throws KernelError "line N WHAT", or "the code WHAT" where the line is 0
[[noreturn]] void refuseFunction(std::uint64_t line, const std::string& what);

} // namespace scanloupe::cuda
