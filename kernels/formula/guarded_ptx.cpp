// Adds runtime checks to the PTX of users' functions, line by line, in the form that NVRTC prints.
#include "kernels/formula/guarded_ptx.h"

#include "kernels/core/error.h"
#include "kernels/formula/guarded_function.h"
#include "kernels/formula/ptx_module.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <sys/random.h>

namespace scanloupe::cuda {

namespace {

// The driver assembles the module in this process; larger modules take minutes and gigabytes.
constexpr std::size_t kMaxModuleBytes = 512 << 10;
constexpr std::uint64_t kMaxRegisters = 6144; // most of them are spilled to the stack of each thread
constexpr std::uint64_t kMaxDivisions = 1000;
constexpr std::uint64_t kMaxStackBytes = 16 << 10;
constexpr std::size_t kMaxValueBytes = 8 << 20; // length of the values of all arrays, as text
constexpr std::size_t kMaxDepth = 64;           // maximum depth of nested calls
constexpr std::uint64_t kMaxArrayBytes = 64 << 20;

[[noreturn]] void refuse(const std::string& what, const std::string& next) {
    throw KernelError("the code " + what, next);
}

/// Adds checks to the function that kernels call and to all functions that it calls, callees first.
class Guard {
public:
    Guard(const PtxModule& module, const GuardNames& names, const std::stop_token& stop)
        : m_module(module), m_names(names), m_stop(stop) {
        for (const PtxFunction& function : module.functions)
            if (function.isDefined)
                m_defined.emplace(function.name, &function);
    }

    /// Returns the text of all functions and variables that the function needs. @param signature its
    /// signature as declared in the kernels
    std::string guarded(const std::string& signature) {
        const auto found = m_defined.find(m_names.function);
        if (found == m_defined.end() || found->second->signature != signature)
            refuse("has no function with the required signature",
                   "Do not redefine types such as Point and float3.");
        visit(*found->second, 0, 0);
        for (const std::string& name : m_used)
            if (m_declared.contains(name) && isOfModule(name))
                refuse("has '" + name + "' both at file scope and in a function", "Rename one of them.");
        std::string variables;
        std::uint64_t bytes = 0;
        for (const PtxVariable& variable : m_module.variables) {
            if (!m_used.contains(variable.array.name))
                continue;
            if (variable.hasPointers)
                refuse("has pointers among the values of '" + variable.array.name + "'", "Use numbers.");
            if ((bytes += variable.array.bytes) > kMaxArrayBytes)
                refuse("has arrays of more than 64 MiB", "Use smaller arrays.");
            // Drops the linkage, so that no other module can refer to the user's variables.
            std::string_view line = m_module.lines[variable.line], rest = line;
            if (const std::string_view linkage = takeWord(rest); linkage == ".visible" || linkage == ".weak")
                line = trimmed(rest);
            (variables += line) += '\n';
            if (m_result.size() + variables.size() > kMaxModuleBytes + kMaxValueBytes)
                refuse("has arrays with more than 8 MiB of values", "Use fewer values.");
        }
        return variables + m_result;
    }

private:
    /// Returns whether a function or array of the module has this name.
    bool isOfModule(const std::string& name) const {
        return m_defined.contains(name) ||
               std::ranges::any_of(m_module.variables,
                                   [&](const PtxVariable& one) { return one.array.name == name; });
    }

    /// Adds checks to a function and its callees. @param line source line of the call; 0: unknown @param
    /// depth number of nested calls
    void visit(const PtxFunction& function, std::uint64_t line, std::size_t depth) {
        if (m_stop.stop_requested())
            throw Cancelled();
        if (depth > kMaxDepth)
            refuseFunction(line, "calls functions more than 64 deep");
        const auto [state, isNew] = m_states.emplace(function.name, State::open);
        if (!isNew && state->second == State::open)
            refuseFunction(line, "calls a function recursively, which is not supported");
        if (!isNew)
            return;
        const GuardedFunction guarded =
            guardedFunction(m_module, function, m_names, {kMaxModuleBytes - m_result.size(), m_stop});
        if ((m_registers += guarded.registers) > kMaxRegisters)
            refuse("needs more than 6144 registers", "Compute fewer values at once.");
        if ((m_divisions += guarded.divisions) > kMaxDivisions)
            refuse("has more than 1000 divisions and roots, of which those in double precision count twice",
                   "Unroll fewer loops, multiply by inverse values, or use float.");
        if ((m_stackBytes += guarded.stackBytes) > kMaxStackBytes)
            refuse("has arrays and parameters of more than 16 KiB in its functions", "Use smaller arrays.");
        for (const auto& [called, from] : guarded.calls) {
            const auto found = m_defined.find(called);
            if (found == m_defined.end())
                refuseFunction(from, "calls '" + called + "', which is not available to functions of points");
            visit(*found->second, from, depth + 1);
            m_used.insert(called);
        }
        m_states[function.name] = State::done;
        m_used.insert(guarded.symbols.begin(), guarded.symbols.end());
        m_declared.insert(guarded.declared.begin(), guarded.declared.end());
        m_result += guarded.text;
        if (m_result.size() > kMaxModuleBytes)
            refuseLength();
    }

    enum class State { open, done };
    const PtxModule& m_module;
    const GuardNames& m_names;
    const std::stop_token& m_stop;
    std::map<std::string, const PtxFunction*, std::less<>> m_defined;
    std::map<std::string, State> m_states;
    std::set<std::string, std::less<>> m_used;     ///< names of the module's symbols that are used
    std::set<std::string, std::less<>> m_declared; ///< names declared in the functions
    std::uint64_t m_registers = 0, m_divisions = 0, m_stackBytes = 0;
    std::string m_result;
};

/// Removes the declaration of `function` from the PTX of the kernels, and stores its signature in
/// `signature`. @returns the remaining text
std::string withoutDeclaration(std::string_view kernels, const std::string& function,
                               std::string& signature) {
    constexpr std::string_view external = "\n.extern .func";
    const std::size_t begin = kernels.find(external);
    const std::size_t end = kernels.find(';', begin);
    if (end == std::string_view::npos || kernels.find(external, end) != std::string_view::npos)
        throw Fault("kernels do not declare the one function that they call");
    signature = signatureIn(kernels.substr(begin + 9, end - begin - 9));
    if (signature.find(' ' + function + ' ') == std::string::npos)
        throw Fault("kernels declare another function");
    return std::string(kernels.substr(0, begin + 1)).append(kernels.substr(end + 1));
}

} // namespace

GuardNames GuardNames::random() {
    std::array<unsigned char, 16> bytes{};
    if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw KernelError("the system provides no random numbers", "Restart the machine.");
    std::string suffix = "_";
    for (const unsigned char byte : bytes)
        (suffix += "0123456789abcdef"[byte >> 4]) += "0123456789abcdef"[byte & 15];
    return {"scanloupe_function" + suffix, "scanloupe_fault" + suffix, "scanloupe_deadlines" + suffix};
}

std::string guardedModule(std::string_view kernels, std::string_view functions, std::string_view file,
                          const GuardNames& names, const std::stop_token& stop) {
    const PtxModule module = parsedPtx(functions, file);
    if (module.assemblyLine)
        refuseFunction(sourceLineOf(module, *module.assemblyLine),
                       "has inline assembly or traps, which cannot be checked");
    std::string signature;
    const std::string rest = withoutDeclaration(kernels, names.function, signature);
    const std::string guarded = Guard(module, names, stop).guarded(signature);
    // The order of the parts is header, function, kernels.
    const std::size_t header = rest.find(".address_size");
    const std::size_t at = header == std::string::npos ? header : rest.find('\n', header);
    if (at == std::string::npos)
        throw Fault("the PTX of kernels has no header");
    return rest.substr(0, at + 1) + "\n.shared .align 8 .b8 " + names.deadlines + '[' +
           std::to_string(8 * kGuardThreads) + "];\n.visible .global .align 4 .u32 " + names.fault + ";\n" +
           guarded + rest.substr(at + 1);
}

} // namespace scanloupe::cuda
