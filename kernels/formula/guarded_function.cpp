// Adds checks to the PTX of one function. What is not known is refused.
#include "kernels/formula/guarded_function.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <array>
#include <vector>

namespace scanloupe::cuda {

namespace {

constexpr std::uint64_t kMaxLocalBytes = 4096; // the device keeps as much for each of its threads

/// Instructions that compute values from values, and control flow that is checked below. The others are
/// refused: those that synchronize, wait, trap, copy, or work on textures and matrices.
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
    FunctionGuard(const PtxModule& module, const PtxFunction& function, const GuardNames& names)
        : m_module(module), m_function(function), m_names(names),
          m_label("$scan_stop_" + std::to_string(function.begin)) {}

    GuardedFunction guarded() {
        refuseAssembly();
        findLoops();
        for (std::string_view rest = m_function.signature; !rest.empty();) {
            const std::size_t end = rest.find_first_of("(),");
            noteParameter(trimmed(rest.substr(0, end)));
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
        m_result.text = m_function.signature + "\n{\n";
        bool isOpen = false; // the guard's registers are declared
        for (m_at = m_function.begin; m_at < m_function.end; ++m_at) {
            const std::string_view line = m_module.lines[m_at];
            std::string_view rest = line;
            const std::string_view word = takeWord(rest);
            if (line.empty())
                continue;
            if (word == ".loc") {
                noteLine(rest);
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
                noteParameter(text);
                append(text);
            } else if (line == "{" || line == "}" || word == ".reg" || word == ".pragma")
                append(statement());
            else if (line.ends_with(':'))
                addLabel(line);
            else if (word.ends_with(':') && takeWord(rest) == ".branchtargets")
                append(statement());
            else if (line.find(".callprototype") != std::string_view::npos)
                refuse("calls a function by a pointer");
            else
                guardInstruction(statement());
        }
        if (!isOpen)
            begin();
        // where the function ends without a ret
        addText("mov.u32 %scan_f, " + codeOf(GuardFault::jump, m_line));
        m_result.text += m_label + ":\n";
        addText("st.volatile.global.u32 [" + m_names.fault + "], %scan_f");
        addText("exit");
        m_result.text += "}\n";
        return std::move(m_result);
    }

private:
    [[noreturn]] void refuse(const std::string& what) const { refuseFunction(m_line, what); }
    void append(std::string_view text) { (m_result.text += text) += '\n'; }
    void addText(const std::string& instruction) { ((m_result.text += '\t') += instruction) += ";\n"; }

    /// The statement that begins in this line, in one line; goes on to its last one.
    std::string statement() {
        std::string text(m_module.lines[m_at]);
        if (text == "{" || text == "}")
            return text;
        while (!text.ends_with(';') && m_at + 1 < m_function.end)
            (text += ' ') += m_module.lines[++m_at];
        if (text.find(';') != text.size() - 1 || text.find_first_of("\"@", 1) != std::string::npos)
            if (!text.starts_with(".pragma \"nounroll\";") || text.size() != 19)
                refuse("has PTX of an unknown form");
        return text;
    }

    /// Lines of the source, not of ours.
    std::uint64_t lineIn(std::string_view rest) const {
        const std::uint64_t file = numberIn(takeWord(rest)), line = numberIn(takeWord(rest));
        return file == m_module.fileNumber ? line : 0;
    }
    void noteLine(std::string_view rest) {
        if (const std::uint64_t line = lineIn(rest))
            m_line = line;
    }
    /// The line of the source that comes next.
    std::uint64_t lineAhead() const {
        for (std::size_t i = m_at; i < m_function.end; ++i) {
            std::string_view rest = m_module.lines[i];
            if (takeWord(rest) == ".loc")
                if (const std::uint64_t line = lineIn(rest))
                    return line;
        }
        return m_line;
    }

    void refuseAssembly() {
        const auto next = std::ranges::lower_bound(m_module.assemblyLines, m_function.begin);
        if (next == m_module.assemblyLines.end() || *next >= m_function.end)
            return;
        for (std::size_t i = m_function.begin; i < *next; ++i) {
            std::string_view rest = m_module.lines[i];
            if (takeWord(rest) == ".loc")
                noteLine(rest);
        }
        refuse("has inline assembly or traps, which can't be checked");
    }

    /// Labels that are named again further below: all that can be jumped back to.
    void findLoops() {
        std::set<std::string_view> known;
        for (std::size_t i = m_function.begin; i < m_function.end; ++i) {
            const std::string_view line = m_module.lines[i];
            if (line.ends_with(':')) {
                if (!known.insert(line.substr(0, line.size() - 1)).second)
                    refuse("has PTX of an unknown form");
                continue;
            }
            for (const std::string_view name : namesIn(line))
                if (known.contains(name))
                    m_loops.insert(name);
            // a list may lie before a label, and the jump behind it
            if (line.starts_with("brx") || line.find(" brx") != std::string_view::npos)
                for (const std::string_view target : targetsOf(lastNameIn(i)))
                    if (known.contains(target))
                        m_loops.insert(target);
        }
    }
    std::string_view lastNameIn(std::size_t line) const {
        const auto names = namesIn(m_module.lines[line]);
        return names.empty() ? std::string_view() : names.back();
    }
    /// The labels of a list "LIST: .branchtargets A, B;"; none: it is not there.
    std::vector<std::string_view> targetsOf(std::string_view list) const {
        std::vector<std::string_view> targets;
        for (std::size_t i = m_function.begin; i < m_function.end; ++i) {
            const std::string_view line = m_module.lines[i];
            if (list.empty() || !line.starts_with(list) || !line.substr(list.size()).starts_with(':') ||
                line.find(".branchtargets") == std::string_view::npos)
                continue;
            for (; i < m_function.end; ++i) {
                const auto names = namesIn(m_module.lines[i]);
                targets.insert(targets.end(), names.begin(), names.end());
                if (m_module.lines[i].ends_with(';'))
                    break;
            }
            std::erase_if(targets, [&](std::string_view name) { return name == list; });
            break;
        }
        return targets;
    }

    /// Declares the guard's registers. The function that kernels call sets the thread's deadline.
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
            boundTime(lineAhead()); // of functions that call many others, and have no loop
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
    /// Ends the thread where %scan_p is true.
    void stopIf(GuardFault fault, std::uint64_t line) {
        addText("@%scan_p mov.u32 %scan_f, " + codeOf(fault, line));
        addText("@%scan_p bra " + m_label);
    }
    /// Only where an instruction with a predicate such as "!%p1" is executed.
    void onlyWhere(std::string_view predicate) {
        const bool isInverse = predicate.starts_with('!');
        if (isInverse)
            addText("not.pred %scan_q, " + std::string(predicate.substr(1)));
        if (!predicate.empty())
            addText("and.pred %scan_p, %scan_p, " + (isInverse ? "%scan_q" : std::string(predicate)));
    }

    void addLocal(std::string_view line, bool isOpen) {
        const PtxArray array = arrayOf(line);
        if (isOpen || array.name.empty() || !line.ends_with(';'))
            refuse("has PTX of an unknown form");
        if (array.bytes > kMaxLocalBytes)
            refuse("has arrays of more than 4096 bytes in a function");
        m_locals.push_back(array);
        append(line);
    }
    void addLabel(std::string_view line) {
        const std::string_view name = line.substr(0, line.size() - 1);
        if (!name.starts_with('$') || name.starts_with("$scan_"))
            refuse("has PTX of an unknown form");
        append(line);
        if (m_loops.contains(name))
            boundTime(lineAhead());
    }

    void guardInstruction(const std::string& text) {
        std::string_view rest = std::string_view(text).substr(0, text.size() - 1), predicate,
                         opcode = takeWord(rest);
        if (opcode.starts_with('@')) {
            predicate = opcode.substr(1);
            opcode = takeWord(rest);
        }
        rest = trimmed(rest);
        const auto parts = partsOf(opcode);
        const std::string_view what = parts[0];
        if (std::ranges::find(kKnown, what) == kKnown.end())
            refuse("uses '" + std::string(what) +
                   "': functions see one point alone, without atomics, barriers, textures and assertions");
        for (const std::string_view name : namesIn(rest))
            m_result.symbols.emplace(name);
        if (what == "call")
            noteCall(rest);
        if (what == "brx")
            guardSwitch(predicate, rest);
        if (what == "ld" || what == "st")
            guardMemory(parts, predicate, rest);
        append(text);
    }

    /// Notes what "(result), function, (parameters)" calls.
    void noteCall(std::string_view rest) {
        if (rest.starts_with('('))
            rest = trimmed(rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1));
        if (rest.starts_with(','))
            rest = trimmed(rest.substr(1));
        const std::string_view called = rest.substr(0, rest.find_first_of(", \t"));
        if (called.empty() || !std::ranges::all_of(called, isNamePart))
            refuse("calls a function by a pointer");
        m_result.calls.try_emplace(std::string(called), m_line);
    }

    /// Of "index, LIST".
    void guardSwitch(std::string_view predicate, std::string_view rest) {
        const std::string index(trimmed(rest.substr(0, rest.find(','))));
        const auto names = namesIn(rest);
        const std::size_t targets = names.size() == 1 ? targetsOf(names[0]).size() : 0;
        if (targets == 0 || !index.starts_with('%'))
            refuse("jumps to where is not known");
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
        if (declaration.starts_with(".param"))
            m_parameters.push_back(arrayOf(declaration));
    }
    /// Of an address such as "param0+8".
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
            refuse("reads or writes beside its parameters");
    }

    void guardMemory(const std::vector<std::string_view>& parts, std::string_view predicate,
                     std::string_view operands) {
        const std::size_t open = operands.find('['), close = operands.find(']');
        if (open == std::string_view::npos || close == std::string_view::npos || close < open)
            refuse("reads or writes memory in a way that is not known");
        const std::string_view address = trimmed(operands.substr(open + 1, close - open - 1));
        std::size_t space = 1;
        while (space + 1 < parts.size() && (parts[space] == "volatile" || parts[space] == "relaxed" ||
                                            parts[space] == "weak" || parts[space] == "acquire"))
            ++space;
        if (parts[space] == "param") {
            return checkParameter(parts, address);
        }
        std::vector<PtxArray> arrays;
        if (parts[space] == "local")
            arrays = m_locals;
        else if (parts[space] == "const" || parts[space] == "global")
            for (const PtxVariable& variable : m_module.variables)
                if (variable.isConstant == (parts[space] == "const"))
                    arrays.push_back(variable.array);
        if (arrays.empty())
            refuse("reads or writes by a pointer that can't be followed: take arrays and values");
        const std::uint64_t bytes = bytesOf(parts);
        std::erase_if(arrays, [&](const PtxArray& array) { return array.bytes < bytes; });
        if (bytes == 0 || arrays.empty())
            refuse("reads or writes beside its arrays");
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
        if (bytes > 1) { // the device stops all kernels of the program at another address
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
    const std::string m_label; ///< of the end
    std::vector<PtxArray> m_locals, m_parameters;
    std::set<std::string_view> m_loops;
    std::size_t m_at = 0;     ///< a line of the PTX
    std::uint64_t m_line = 0; ///< of the source; 0: not known
    GuardedFunction m_result;
};

} // namespace

GuardedFunction guardedFunction(const PtxModule& module, const PtxFunction& function,
                                const GuardNames& names) {
    return FunctionGuard(module, function, names).guarded();
}

void refuseFunction(std::uint64_t line, const std::string& what) {
    throw KernelError((line > 0 ? "line " + std::to_string(line) + " " : "the code ") + what,
                      "Write it otherwise there.");
}

} // namespace scanloupe::cuda
