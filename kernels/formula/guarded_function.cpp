// Adds runtime checks to the PTX of one function. Rejects unknown instructions.
#include "kernels/formula/guarded_function.h"

#include "kernels/core/error.h"
#include "kernels/formula/ptx_grammar.h"

#include <algorithm>
#include <array>
#include <vector>

namespace scanloupe::cuda {

namespace {

constexpr std::uint64_t kMaxLocalBytes = 4096; // per function, for each thread

/// Accepted instructions: those that compute values, and control flow that is checked below. All others are
/// rejected, e.g. for synchronization, waiting, traps, copies, textures and matrices.
constexpr std::array kKnown{
    "abs",      "add",       "addc",      "and",   "bfe",      "bfi",   "bfind",  "bmsk",   "bra",   "brev",
    "brx",      "call",      "clz",       "cnot",  "copysign", "cos",   "cvt",    "cvta",   "div",   "dp2a",
    "dp4a",     "ex2",       "fma",       "fns",   "ld",       "lg2",   "lop3",   "mad",    "mad24", "madc",
    "max",      "min",       "mov",       "mul",   "mul24",    "neg",   "not",    "or",     "popc",  "prmt",
    "rcp",      "rem",       "ret",       "rsqrt", "sad",      "selp",  "set",    "setp",   "shf",   "shl",
    "shr",      "sin",       "slct",      "sqrt",  "st",       "sub",   "subc",   "szext",  "tanh",  "testp",
    "vabsdiff", "vabsdiff2", "vabsdiff4", "vadd",  "vadd2",    "vadd4", "vavrg2", "vavrg4", "vmad",  "vmax",
    "vmax2",    "vmax4",     "vmin",      "vmin2", "vmin4",    "vset",  "vset2",  "vset4",  "vshl",  "vshr",
    "vsub",     "vsub2",     "vsub4",     "xor"};

class FunctionGuard {
public:
    FunctionGuard(const PtxModule& module, const PtxFunction& function, const GuardNames& names,
                  const GuardLimits& limits)
        : m_module(module), m_function(function), m_names(names), m_limits(limits),
          m_label("$scan_stop_" + std::to_string(function.begin)) {}

    GuardedFunction guarded() {
        checkSize();
        if (!isPlainSignature(m_function.signature)) {
            m_at = m_function.begin;
            refuseFunction(lineAhead(),
                           "begins a function of an unsupported form, such as one that never returns");
        }
        m_loops = loopLabelsOf(m_module, m_function, m_limits.stop);
        for (std::string_view rest = m_function.signature; !rest.empty();) {
            const std::size_t end = rest.find_first_of("(),");
            noteParameter(trimmed(rest.substr(0, end)));
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
        m_result.text = m_function.signature + "\n{\n";
        bool isOpen = false; // whether the guard's registers have been declared
        for (m_at = m_function.begin; m_at < m_function.end; ++m_at) {
            throwIfStopped();
            const std::string_view line = m_module.lines[m_at];
            std::string_view rest = line;
            const std::string_view word = takeWord(rest);
            if (line.empty())
                continue;
            if (word == ".loc") {
                if (const std::uint64_t from = sourceLineIn(m_module, rest))
                    m_line = from;
                continue;
            }
            const bool isDeclaration = word == ".reg" || word == ".local";
            if (!isOpen && !isDeclaration) {
                begin();
                isOpen = true;
            }
            if (word == ".local")
                addLocal(line, isOpen);
            else if (word == ".param") {
                const std::string text = statement();
                checkForm(isPlainArray(text, ".param"));
                noteParameter(text);
                append(text);
            } else if (word == ".reg")
                addRegisters();
            else if (line == "{" || line == "}" || word == ".pragma")
                append(statement());
            else if (line.ends_with(':'))
                addLabel(line);
            else if (word.ends_with(':') && takeWord(rest) == ".branchtargets") {
                const std::string text = statement();
                checkForm(isBranchList(text));
                m_result.declared.emplace(word.substr(0, word.size() - 1));
                append(text);
            } else if (line.find(".callprototype") != std::string_view::npos)
                refuse("calls a function by a pointer");
            else
                guardInstruction(statement());
        }
        if (!isOpen)
            begin();
        // reached only if the function ends without a ret
        addText("mov.u32 %scan_f, " + codeOf(GuardFault::jump, m_line));
        m_result.text += m_label + ":\n";
        addText("st.volatile.global.u32 [" + m_names.fault + "], %scan_f");
        addText("exit");
        m_result.text += "}\n";
        return std::move(m_result);
    }

private:
    [[noreturn]] void refuse(const std::string& what) const { refuseFunction(m_line, what); }
    void checkForm(bool isKnown) const {
        if (!isKnown)
            refuse("compiles to unsupported instructions");
    }
    void throwIfStopped() const {
        if (m_limits.stop.stop_requested())
            throw Cancelled();
    }
    void append(std::string_view text) {
        (m_result.text += text) += '\n';
        if (m_result.text.size() > m_limits.bytes)
            refuseLength();
    }
    void addText(const std::string& instruction) { append('\t' + instruction + ';'); }
    /// Rejects functions whose text is too long; must be called before all other work.
    void checkSize() const {
        std::size_t bytes = 0;
        for (std::size_t i = m_function.begin; i < m_function.end; ++i)
            bytes += m_module.lines[i].starts_with(".loc") ? 0 : m_module.lines[i].size();
        if (bytes > m_limits.bytes)
            refuseLength();
    }

    /// Joins the statement that begins in the current line, and advances m_at to its last line.
    std::string statement() {
        std::string text(m_module.lines[m_at]);
        if (text == "{" || text == "}")
            return text;
        while (!text.ends_with(';') && m_at + 1 < m_function.end)
            (text += ' ') += m_module.lines[++m_at];
        const bool isPragma = text.starts_with(".pragma");
        checkForm(isPragma ? text == ".pragma \"nounroll\";" : text.find(';') == text.size() - 1);
        return text;
    }

    /// Returns the source line of the next `.loc`; if there is none, the current source line.
    std::uint64_t lineAhead() const {
        for (std::size_t i = m_at; i < m_function.end; ++i) {
            std::string_view rest = m_module.lines[i];
            if (takeWord(rest) == ".loc")
                if (const std::uint64_t line = sourceLineIn(m_module, rest))
                    return line;
        }
        return m_line;
    }

    /// Declares the guard's registers. In the function that kernels call, also sets the thread's deadline.
    void begin() {
        addText(".reg .pred %scan_p, %scan_q");
        addText(".reg .b64 %scan_t, %scan_d, %scan_a");
        addText(".reg .b32 %scan_f");
        addText("mov.u32 %scan_f, %tid.x");
        addText("mul.wide.u32 %scan_t, %scan_f, 8");
        addText("mov.u64 %scan_a, " + m_names.deadlines);
        addText("add.s64 %scan_a, %scan_a, %scan_t");
        if (m_function.name == m_names.function) {
            addText("ld.volatile.global.u32 %scan_f, [" + m_names.fault + "]");
            addText("setp.ne.u32 %scan_p, %scan_f, 0");
            addText("@%scan_p exit");
            addText("mov.u64 %scan_d, %globaltimer");
            addText("add.s64 %scan_d, %scan_d, 2000000000");
            addText("st.shared.u64 [%scan_a], %scan_d");
        } else {
            addText("ld.shared.u64 %scan_d, [%scan_a]");
            boundTime(lineAhead()); // for functions without loops that call many others
        }
    }
    void boundTime(std::uint64_t line) {
        addText("mov.u64 %scan_t, %globaltimer");
        addText("setp.gt.u64 %scan_p, %scan_t, %scan_d");
        stopIf(GuardFault::time, line);
    }
    static std::string codeOf(GuardFault fault, std::uint64_t line) {
        return std::to_string((std::uint64_t(fault) << 24) + std::min<std::uint64_t>(line, 0xffffff));
    }
    /// Ends the thread if %scan_p is true.
    void stopIf(GuardFault fault, std::uint64_t line) {
        addText("@%scan_p mov.u32 %scan_f, " + codeOf(fault, line));
        addText("@%scan_p bra " + m_label);
    }
    /// Restricts %scan_p to threads in which a predicate such as "!%p1" is true.
    void onlyWhere(std::string_view predicate) {
        const bool isInverse = predicate.starts_with('!');
        if (isInverse)
            addText("not.pred %scan_q, " + std::string(predicate.substr(1)));
        if (!predicate.empty())
            addText("and.pred %scan_p, %scan_p, " + (isInverse ? "%scan_q" : std::string(predicate)));
    }

    void addLocal(std::string_view line, bool isOpen) {
        checkForm(!isOpen && isPlainArray(line, ".local"));
        const PtxArray array = arrayOf(line);
        if (array.bytes > kMaxLocalBytes)
            refuse("has arrays of more than 4096 bytes in a function");
        m_result.stackBytes += array.bytes;
        m_result.declared.insert(array.name);
        m_locals.push_back(array);
        append(line);
    }
    void addRegisters() {
        const std::string text = statement();
        const std::uint64_t count = registersIn(text);
        checkForm(count > 0);
        m_result.registers += count;
        for (const std::string_view name : namesIn(text))
            m_result.declared.emplace(name);
        append(text);
    }
    void addLabel(std::string_view line) {
        const std::string_view name = line.substr(0, line.size() - 1);
        checkForm(name.starts_with('$') && std::ranges::all_of(name, isNamePart));
        m_result.declared.emplace(name);
        append(line);
        if (m_loops.contains(name))
            boundTime(lineAhead());
    }

    void guardInstruction(const std::string& text) {
        checkForm(isPlainInstruction(text));
        std::string_view rest = std::string_view(text).substr(0, text.size() - 1), predicate,
                         opcode = takeWord(rest);
        if (opcode.starts_with('@')) {
            predicate = opcode.substr(1);
            opcode = takeWord(rest);
            const std::string_view name = predicate.substr(predicate.starts_with('!') ? 1 : 0);
            checkForm(name.size() > 1 && name[0] == '%' && std::ranges::all_of(name.substr(1), isNamePart));
        }
        rest = trimmed(rest);
        const auto parts = partsOf(opcode);
        const std::string_view what = parts[0];
        if (std::ranges::find(kKnown, what) == kKnown.end())
            refuse("uses '" + std::string(what) +
                   "': functions process a single point, without atomics, barriers, textures and assertions");
        for (const std::string_view name : namesIn(rest))
            m_result.symbols.emplace(name);
        noteDivision(parts);
        if (what == "call")
            noteCall(rest);
        if (what == "brx")
            guardSwitch(predicate, rest);
        if (what == "ld" || what == "st")
            guardMemory(parts, predicate, rest);
        append(text);
    }

    /// Counts exact divisions and square roots, each of which becomes dozens of instructions.
    void noteDivision(const std::vector<std::string_view>& parts) {
        const auto has = [&](std::string_view part) { return std::ranges::find(parts, part) != parts.end(); };
        if ((parts[0] == "div" || parts[0] == "rem" || parts[0] == "rcp" || parts[0] == "sqrt" ||
             parts[0] == "rsqrt") &&
            !has("approx") && !has("full"))
            m_result.divisions += has("f64") || has("s64") || has("u64") ? 2 : 1;
    }
    /// Records the callee of a call. @param rest its operands, "(result), function, (parameters)"
    void noteCall(std::string_view rest) {
        if (rest.starts_with('('))
            rest = trimmed(rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1));
        if (rest.starts_with(','))
            rest = trimmed(rest.substr(1));
        const std::string_view called = rest.substr(0, rest.find_first_of(", \t"));
        if (called.empty() || !std::ranges::all_of(called, isNamePart))
            refuse("calls a function by a pointer");
        rest = trimmed(rest.substr(called.size()));
        if (rest.starts_with(','))
            rest = trimmed(rest.substr(1));
        checkForm(rest.empty() || (rest.starts_with('(') && rest.find(')') == rest.size() - 1));
        m_result.calls.try_emplace(std::string(called), m_line);
    }

    /// Guards a switch. @param rest its operands, "index, LIST"
    void guardSwitch(std::string_view predicate, std::string_view rest) {
        const std::string index(trimmed(rest.substr(0, rest.find(','))));
        const auto names = namesIn(rest);
        const std::size_t targets = names.size() == 1 ? targetsOf(m_module, m_function, names[0]).size() : 0;
        if (targets == 0 || !index.starts_with('%'))
            refuse("has a jump with unknown targets");
        addText("setp.ge.u32 %scan_p, " + index + ", " + std::to_string(targets));
        onlyWhere(predicate);
        stopIf(GuardFault::jump, m_line);
    }

    static std::uint64_t bytesOf(const std::vector<std::string_view>& parts) {
        std::uint64_t bytes = bytesOfType(parts.back());
        for (const std::string_view part : parts)
            if (part == "v2" || part == "v4" || part == "v8")
                bytes *= numberIn(part.substr(1));
        return bytes;
    }

    void noteParameter(std::string_view declaration) {
        if (!declaration.starts_with(".param"))
            return;
        m_parameters.push_back(arrayOf(declaration));
        m_result.declared.insert(m_parameters.back().name);
        if (m_parameters.back().bytes > kMaxLocalBytes)
            refuse("has parameters of more than 4096 bytes");
        m_result.stackBytes += m_at < m_function.begin ? m_parameters.back().bytes : 0;
    }
    /// Checks at compile time that an access to a parameter is within it. @param address such as "param0+8"
    void checkParameter(const std::vector<std::string_view>& parts, std::string_view address) const {
        const std::size_t plus = address.find('+');
        const std::uint64_t bytes = bytesOf(parts);
        const std::uint64_t offset =
            plus == std::string_view::npos ? 0 : numberIn(trimmed(address.substr(plus + 1)));
        const auto last = std::find_if(m_parameters.rbegin(), m_parameters.rend(), [&](const PtxArray& one) {
            return one.name == trimmed(address.substr(0, plus));
        });
        const bool isKnown =
            plus == std::string_view::npos ||
            trimmed(address.substr(plus + 1)).find_first_not_of("0123456789") == std::string_view::npos;
        if (!isKnown || bytes == 0 || last == m_parameters.rend() || bytes > last->bytes ||
            offset > last->bytes - bytes)
            refuse("reads or writes outside its parameters");
    }

    void guardMemory(const std::vector<std::string_view>& parts, std::string_view predicate,
                     std::string_view operands) {
        const std::size_t open = operands.find('['), close = operands.find(']');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open)
            refuse("accesses memory in an unsupported way");
        const std::string_view address = trimmed(operands.substr(open + 1, close - open - 1));
        std::size_t space = 1;
        while (space + 1 < parts.size() && (parts[space] == "volatile" || parts[space] == "relaxed" ||
                                            parts[space] == "weak" || parts[space] == "acquire"))
            ++space;
        if (parts[space] == "param")
            return checkParameter(parts, address);
        std::vector<PtxArray> arrays;
        if (parts[space] == "local")
            arrays = m_locals;
        else if (parts[space] == "const" || parts[space] == "global")
            for (const PtxVariable& variable : m_module.variables)
                if (variable.isConstant == (parts[space] == "const"))
                    arrays.push_back(variable.array);
        if (arrays.empty())
            refuse("reads or writes by a pointer that cannot be checked: use arrays and values");
        const std::uint64_t bytes = bytesOf(parts);
        std::erase_if(arrays, [&](const PtxArray& array) { return array.bytes < bytes; });
        if (bytes == 0 || arrays.empty())
            refuse("reads or writes outside its arrays");
        const std::size_t plus = address.find('+');
        addText("mov.u64 %scan_t, " + std::string(trimmed(address.substr(0, plus))));
        if (plus != std::string_view::npos)
            addText("add.s64 %scan_t, %scan_t, " + std::string(trimmed(address.substr(plus + 1))));
        bool isFirst = true;
        for (const PtxArray& array : arrays) {
            if (parts[space] != "local")
                m_result.symbols.insert(array.name);
            addText("mov.u64 %scan_a, " + array.name);
            addText("sub.s64 %scan_a, %scan_t, %scan_a");
            addText(std::string("setp.le.u64 ") + (isFirst ? "%scan_p" : "%scan_q") + ", %scan_a, " +
                    std::to_string(array.bytes - bytes));
            if (!isFirst)
                addText("or.pred %scan_p, %scan_p, %scan_q");
            isFirst = false;
        }
        addText("not.pred %scan_p, %scan_p");
        if (bytes > 1) { // a misaligned access would stop all kernels of the program
            addText("and.b64 %scan_a, %scan_t, " + std::to_string(bytes - 1));
            addText("setp.ne.u64 %scan_q, %scan_a, 0");
            addText("or.pred %scan_p, %scan_p, %scan_q");
        }
        onlyWhere(predicate);
        stopIf(GuardFault::memory, m_line);
    }

    const PtxModule& m_module;
    const PtxFunction& m_function;
    const GuardNames& m_names;
    const GuardLimits& m_limits;
    const std::string m_label; ///< label at the end of the function
    std::vector<PtxArray> m_locals, m_parameters;
    std::set<std::string_view> m_loops;
    std::size_t m_at = 0;     ///< current line of the PTX, as an index
    std::uint64_t m_line = 0; ///< current line of the source; 0: unknown
    GuardedFunction m_result;
};

} // namespace

GuardedFunction guardedFunction(const PtxModule& module, const PtxFunction& function, const GuardNames& names,
                                const GuardLimits& limits) {
    return FunctionGuard(module, function, names, limits).guarded();
}

void refuseLength() {
    throw KernelError("the code compiles to more than 512 KiB of instructions",
                      "Unroll fewer loops, and expand fewer macros and templates.");
}

void refuseFunction(std::uint64_t line, const std::string& what) {
    throw KernelError((line > 0 ? "line " + std::to_string(line) + " " : "the code ") + what,
                      "Rewrite the code in this place.");
}

} // namespace scanloupe::cuda
