// Adds checks to the PTX of functions that people write, line by line, as NVRTC prints it.
#include "kernels/formula/guarded_ptx.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace scanloupe::cuda {

namespace {

constexpr std::uint64_t kMostLocalBytes = 4096; // the device keeps as much for each of its threads
constexpr std::string_view kBlank = " \t";

struct Array {
    std::string name;
    std::uint64_t bytes = 0;
};

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::uint64_t numberIn(std::string_view text) {
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// The first word of a text, which it loses.
std::string_view takeWord(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(kBlank));
    text.remove_prefix(word.size());
    return word;
}

/// The bytes of a type such as "u32"; 0: it is none.
std::uint64_t bytesOfType(std::string_view type) {
    if (type.empty() || std::string_view("busf").find(type.front()) == std::string_view::npos)
        return 0;
    return numberIn(type.substr(1)) / 8;
}

/// The array that a declaration such as ".global .align 4 .b8 name[24] = {…};" makes; no name: none.
Array arrayOf(std::string_view declaration) {
    Array array;
    std::uint64_t element = 0;
    for (std::string_view rest = declaration; !rest.empty();) {
        std::string_view word = takeWord(rest);
        if (word == ".align") {
            takeWord(rest);
        } else if (!word.starts_with('.')) {
            word = word.substr(0, word.find_first_of(";="));
            const std::size_t bracket = word.find('[');
            array.name = word.substr(0, bracket);
            array.bytes =
                element * (bracket == std::string_view::npos ? 1 : numberIn(word.substr(bracket + 1)));
            return array;
        } else {
            element = std::max(element, bytesOfType(word.substr(1)));
        }
    }
    return array;
}

/// Its words as they stand between dots: "ld", "global", "nc", "u32".
std::vector<std::string_view> partsOf(std::string_view opcode) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t dot = opcode.find('.');
        parts.push_back(opcode.substr(0, dot));
        if (dot == std::string_view::npos)
            return parts;
        opcode.remove_prefix(dot + 1);
    }
}

class Guard {
public:
    Guard(std::string_view ptx, std::string_view file) : m_lines(linesOf(ptx)), m_file(file) { readModule(); }

    std::string guarded() {
        for (m_at = 0; m_at < m_lines.size(); ++m_at) {
            const std::string_view line = m_lines[m_at];
            append(line);
            if (isFunction(line))
                guardFunction();
        }
        refuseRecursion();
        return std::move(m_result);
    }

private:
    static bool isFunction(std::string_view line) {
        return line.starts_with(".func") || line.starts_with(".visible .func") ||
               line.starts_with(".weak .func");
    }

    /// Finds the arrays of the module, and which of its files is the source.
    void readModule() {
        for (const std::string_view line : m_lines) {
            std::string_view rest = line;
            const std::string_view word = takeWord(rest);
            if (word == ".file") {
                const std::uint64_t number = numberIn(takeWord(rest));
                const std::string_view name = trimmed(rest);
                const std::string quoted = '"' + m_file + '"', inFolder = '/' + m_file + '"';
                if (name.starts_with(quoted) || name.find(inFolder) != std::string_view::npos)
                    m_fileNumber = number;
            }
            const bool isConstant = line.find(".const ") < 20;
            if (!isConstant && line.find(".global ") >= 20)
                continue; // those of functions are indented, too, but local
            if (line.starts_with('\t') || line.starts_with("//"))
                continue;
            const Array array = arrayOf(line);
            if (!array.name.empty() && !array.name.starts_with("scanloupe_"))
                (isConstant ? m_constants : m_globals).push_back(array);
        }
    }

    void append(std::string_view line) { (m_result += line) += '\n'; }
    [[noreturn]] void refuse(const std::string& what) const {
        throw KernelError((m_line > 0 ? "line " + std::to_string(m_line) + " " : "the file ") + what,
                          "Write it otherwise there.");
    }

    /// Follows ".loc FILE LINE COLUMN", in the source only.
    void noteLine(std::string_view rest) {
        const std::uint64_t file = numberIn(takeWord(rest)), line = numberIn(takeWord(rest));
        if (file == m_fileNumber && line > 0)
            m_line = line;
    }

    /// From the head of a function on, which was appended, to its end.
    void guardFunction() {
        m_function = m_at;
        m_locals.clear();
        m_line = 0;
        std::size_t begin = m_at; // of the body
        while (begin < m_lines.size() && m_lines[begin] != "{" && !m_lines[begin].ends_with(';'))
            ++begin;
        if (begin == m_lines.size() || m_lines[begin] != "{")
            return; // a declaration
        std::size_t end = begin;
        while (end < m_lines.size() && m_lines[end] != "}")
            ++end;
        const std::string name = nameOf(m_at, begin);
        const std::set<std::string_view> loops = loopLabels(begin, end);
        bool isOpen = false; // the guard's registers are declared
        for (++m_at; m_at < end; ++m_at) {
            const std::string_view line = m_lines[m_at];
            std::string_view rest = line;
            const std::string_view word = takeWord(rest);
            if (m_at > begin && !isOpen && !word.empty() && !word.starts_with(".reg") &&
                !word.starts_with(".local") && word != ".loc") {
                m_result += "\t.reg .pred %scan_p, %scan_q;\n\t.reg .b64 %scan_t, %scan_d, %scan_a;\n"
                            "\t.reg .b32 %scan_f;\n\tld.global.u64 %scan_d, [scanloupe_deadline];\n"
                            "\tmov.u32 %scan_f, 0;\n";
                isOpen = true;
            }
            if (word == ".loc")
                noteLine(rest);
            else if (word == ".local")
                addLocal(line);
            else if (m_at > begin && isOpen)
                guardInstruction(name, trimmed(line));
            append(line);
            if (word.ends_with(':') && loops.contains(word.substr(0, word.size() - 1)))
                boundLoop();
        }
        m_result += label() + ":\n\tst.global.u32 [scanloupe_fault], %scan_f;\n\texit;\n";
        append(m_lines[m_at]); // }
    }

    std::string label() const { return "$scan_stop_" + std::to_string(m_function); }

    /// The name of a function, after ".func" and the parameter that it returns.
    std::string nameOf(std::size_t head, std::size_t begin) const {
        std::string text;
        for (std::size_t i = head; i < begin; ++i)
            (text += m_lines[i]) += ' ';
        std::string_view rest = std::string_view(text).substr(text.find(".func") + 5);
        rest = trimmed(rest);
        if (rest.starts_with('('))
            rest = trimmed(rest.substr(rest.find(')') + 1));
        return std::string(trimmed(rest.substr(0, rest.find_first_of("( \t"))));
    }

    void addLocal(std::string_view line) {
        const Array array = arrayOf(trimmed(line));
        if (array.bytes > kMostLocalBytes)
            refuse("has arrays of more than 4096 bytes in a function");
        m_locals.push_back(array);
    }

    /// Labels that are named again further below.
    std::set<std::string_view> loopLabels(std::size_t begin, std::size_t end) const {
        std::set<std::string_view> known, loops;
        for (std::size_t i = begin; i < end; ++i) {
            std::string_view rest = m_lines[i];
            for (std::size_t at = rest.find('$'); at != std::string_view::npos; at = rest.find('$')) {
                rest.remove_prefix(at);
                const std::size_t size = std::min(rest.find_first_of(" \t,;:}"), rest.size());
                const std::string_view name = rest.substr(0, size);
                rest.remove_prefix(size);
                if (rest.starts_with(':'))
                    known.insert(name);
                else if (known.contains(name))
                    loops.insert(name);
            }
        }
        return loops;
    }

    /// The line of the source that comes next.
    std::uint64_t lineAhead() const {
        for (std::size_t i = m_at; i < m_lines.size() && m_lines[i] != "}"; ++i) {
            std::string_view rest = m_lines[i];
            if (takeWord(rest) != ".loc")
                continue;
            const std::uint64_t file = numberIn(takeWord(rest)), line = numberIn(takeWord(rest));
            if (file == m_fileNumber && line > 0)
                return line;
        }
        return m_line;
    }

    /// Ends the thread where %scan_p is true.
    void stopWith(GuardFault fault, std::uint64_t line) {
        const std::uint64_t code = (std::uint64_t(fault) << 24) + std::min<std::uint64_t>(line, 0xffffff);
        m_result +=
            "\t@%scan_p mov.u32 %scan_f, " + std::to_string(code) + ";\n\t@%scan_p bra " + label() + ";\n";
    }

    void boundLoop() {
        m_result += "\tmov.u64 %scan_t, %globaltimer;\n\tsetp.gt.u64 %scan_p, %scan_t, %scan_d;\n";
        stopWith(GuardFault::time, lineAhead());
    }

    void guardInstruction(const std::string& function, std::string_view text) {
        if (text == "// begin inline asm")
            refuse("has inline assembly or traps, which can't be checked");
        if (text.starts_with("//"))
            return;
        std::string_view rest = text, predicate, opcode = takeWord(rest);
        if (opcode.starts_with('@')) {
            predicate = opcode.substr(1);
            opcode = takeWord(rest);
        }
        opcode = opcode.substr(0, opcode.find(';'));
        const auto parts = partsOf(opcode);
        const std::string_view what = parts[0];
        constexpr std::array unbounded{"atom",     "red",  "bar",   "barrier",    "fence",     "membar",
                                       "mbarrier", "trap", "brkpt", "alloca",     "nanosleep", "cp",
                                       "shfl",     "vote", "match", "activemask", "elect"};
        if (std::ranges::find(unbounded, what) != unbounded.end())
            refuse("uses '" + std::string(what) +
                   "': functions see one point alone, without atomics, barriers and assertions");
        constexpr std::array textures{"tex", "tld4", "txq", "suld", "sust", "sured", "suq"};
        if (std::ranges::find(textures, what) != textures.end())
            refuse("uses textures or surfaces, which there are not");
        if (what == "call")
            noteCall(function);
        if ((what == "ld" || what == "st" || what == "ldu") && parts.size() > 1 &&
            !parts[1].starts_with("param"))
            guardMemory(parts, predicate, rest);
    }

    /// Notes whom a function calls; the statement may go on in further lines.
    void noteCall(const std::string& function) {
        std::string text;
        for (std::size_t i = m_at; i < m_lines.size(); ++i) {
            (text += trimmed(m_lines[i])) += ' ';
            if (text.find(';') != std::string::npos)
                break;
        }
        std::string_view rest = text;
        takeWord(rest);
        rest = trimmed(rest);
        if (rest.starts_with('('))
            rest = trimmed(rest.substr(std::min(rest.find(')') + 1, rest.size())));
        if (rest.starts_with(','))
            rest = trimmed(rest.substr(1));
        const std::string called(rest.substr(0, rest.find_first_of(", \t;")));
        if (called.starts_with('%'))
            refuse("calls a function by a pointer");
        m_calls[function].insert(called);
        m_callLines.try_emplace({function, called}, m_line);
    }

    void guardMemory(const std::vector<std::string_view>& parts, std::string_view predicate,
                     std::string_view operands) {
        std::size_t space = 1;
        while (space < parts.size() && (parts[space] == "volatile" || parts[space] == "relaxed" ||
                                        parts[space] == "weak" || parts[space] == "acquire"))
            ++space;
        const std::vector<Array>* arrays = nullptr;
        if (parts[space] == "local")
            arrays = &m_locals;
        else if (parts[space] == "const")
            arrays = &m_constants;
        else if (parts[space] == "global")
            arrays = &m_globals;
        if (!arrays || arrays->empty())
            refuse("reads or writes by a pointer that can't be followed: take arrays and values");
        std::uint64_t bytes = bytesOfType(parts.back());
        for (const std::string_view part : parts)
            if (part == "v2" || part == "v4" || part == "v8")
                bytes *= numberIn(part.substr(1));
        const std::size_t open = operands.find('['), close = operands.find(']');
        if (bytes == 0 || open == std::string_view::npos || close == std::string_view::npos)
            refuse("reads or writes memory in a way that is not known");
        const std::string_view address = operands.substr(open + 1, close - open - 1);
        const std::size_t plus = address.find('+');
        (m_result += "\tmov.u64 %scan_t, ") += trimmed(address.substr(0, plus));
        m_result += ";\n";
        if (plus != std::string_view::npos)
            ((m_result += "\tadd.s64 %scan_t, %scan_t, ") += trimmed(address.substr(plus + 1))) += ";\n";
        bool isFirst = true;
        for (const Array& array : *arrays) {
            if (array.bytes < bytes)
                continue;
            m_result += "\tmov.u64 %scan_a, " + array.name + ";\n\tsub.s64 %scan_a, %scan_t, %scan_a;\n";
            m_result += std::string("\tsetp.le.u64 ") + (isFirst ? "%scan_p" : "%scan_q") + ", %scan_a, " +
                        std::to_string(array.bytes - bytes) + ";\n";
            if (!isFirst)
                m_result += "\tor.pred %scan_p, %scan_p, %scan_q;\n";
            isFirst = false;
        }
        if (isFirst)
            refuse("reads or writes beside its arrays");
        m_result += "\tnot.pred %scan_p, %scan_p;\n";
        if (predicate.starts_with('!'))
            ((m_result += "\tnot.pred %scan_q, ") += predicate.substr(1)) +=
                ";\n\tand.pred %scan_p, %scan_p, %scan_q;\n";
        else if (!predicate.empty())
            ((m_result += "\tand.pred %scan_p, %scan_p, ") += predicate) += ";\n";
        stopWith(GuardFault::memory, m_line);
    }

    void refuseRecursion() {
        std::set<std::string> open, done;
        for (const auto& [function, called] : m_calls)
            visit(function, open, done);
    }
    void visit(const std::string& function, std::set<std::string>& open, std::set<std::string>& done) {
        if (done.contains(function))
            return;
        open.insert(function);
        for (const std::string& called : m_calls[function]) {
            m_line = m_callLines[{function, called}];
            if (open.contains(called))
                refuse("calls a function that is still at work: recursion has no bounds");
            if (called == "malloc" || called == "free" || called == "vprintf" || called == "__assertfail")
                refuse("calls '" + called + "', which functions of points can't");
            visit(called, open, done);
        }
        open.erase(function);
        done.insert(function);
    }

    std::vector<std::string_view> m_lines;
    std::string m_file;
    std::uint64_t m_fileNumber = 0; ///< of the source in .loc
    std::vector<Array> m_constants, m_globals, m_locals;
    std::size_t m_at = 0, m_function = 0; ///< lines of the PTX
    std::uint64_t m_line = 0;             ///< of the source; 0: not known
    std::map<std::string, std::set<std::string>> m_calls;
    std::map<std::pair<std::string, std::string>, std::uint64_t> m_callLines;
    std::string m_result;
};

} // namespace

std::string guardedPtx(std::string_view ptx, std::string_view file) {
    return Guard(ptx, file).guarded();
}

} // namespace scanloupe::cuda
