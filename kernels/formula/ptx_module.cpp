// Parses PTX, and rejects everything that functions of points and nodes do not need.
#include "kernels/formula/ptx_module.h"

#include "kernels/core/error.h"
#include "kernels/formula/ptx_grammar.h"

#include <algorithm>
#include <charconv>

namespace scanloupe::cuda {

namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::uint64_t kMaxArrayBytes = 64 << 20;
constexpr std::size_t kMaxArrays = 256; // a runtime check compares each access with all arrays

[[noreturn]] void refuse(const std::string& what) {
    throw KernelError("the code " + what, "Write functions and arrays of numbers only.");
}

/// Splits text into lines, without comments and surrounding blanks.
void splitLines(PtxModule& module, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t comment = line.find("//");
        if (!module.assemblyLine && line.find("inline asm") != std::string_view::npos)
            module.assemblyLine = module.lines.size();
        if (line.find("%scan") != std::string_view::npos || line.find("$scan") != std::string_view::npos)
            refuse("has names that begin with $scan");
        // NVRTC prints only comments that begin with //
        if (line.find("/*") != std::string_view::npos || line.find("*/") != std::string_view::npos)
            refuse("compiles to PTX with unexpected comments");
        module.lines.push_back(trimmed(line.substr(0, comment)));
    }
}

/// Parses the lines of a module.
class Reader {
public:
    Reader(PtxModule& module, std::string_view file) : m_module(module), m_file(file) {}

    void read() {
        for (; m_at < m_module.lines.size(); ++m_at) {
            const std::string_view line = m_module.lines[m_at];
            std::string_view rest = line;
            const std::string_view word = takeWord(rest);
            if (line.empty())
                continue;
            if (word == ".version" || word == ".target" || word == ".address_size")
                m_module.header.push_back(line);
            else if (word == ".file")
                readFile(rest);
            else if (word == ".section")
                skipSection(line);
            else if (word == ".visible" || word == ".weak" || word == ".extern" || word == ".func" ||
                     word == ".global" || word == ".const" || word == ".shared" || word == ".entry")
                readSymbol();
            else
                refuse("has '" + std::string(word) + "', which is not supported");
        }
    }

private:
    void readFile(std::string_view rest) {
        const std::uint64_t number = numberIn(takeWord(rest));
        const std::string_view name = trimmed(rest);
        if (name == '"' + m_file + '"' || name.ends_with('/' + m_file + '"'))
            m_module.fileNumber = number;
    }
    /// Skips a section of text for the debugger.
    void skipSection(std::string_view line) {
        while (m_at < m_module.lines.size() && !m_module.lines[m_at].ends_with('}'))
            ++m_at;
        if (!line.starts_with(".section") || m_at == m_module.lines.size())
            refuse("has a section that does not end");
    }
    void readSymbol() {
        std::string_view rest = m_module.lines[m_at], linkage = rest;
        std::string_view word = takeWord(rest);
        bool isExternal = false;
        while (word == ".visible" || word == ".weak" || word == ".extern") {
            isExternal = isExternal || word == ".extern";
            linkage = rest;
            word = takeWord(rest);
        }
        if (word == ".entry")
            refuse("declares a kernel (__global__): use functions (__device__) only");
        if (word == ".func")
            return readFunction(trimmed(linkage), isExternal);
        if (word == ".shared")
            refuse("has shared memory (__shared__): functions process a single point");
        if (word != ".global" && word != ".const")
            refuse("has variables of the unsupported kind '" + std::string(word) + "'");
        const std::string_view line = m_module.lines[m_at];
        const PtxArray array = arrayOf(line);
        bool hasPointers = false;
        if (isExternal || array.name.empty() || !line.ends_with(';'))
            refuse("declares a variable that it does not define");
        if (!isPlainVariable(line, hasPointers))
            refuse("has a variable of an unsupported form, or one that is aligned to more than 16 bytes");
        if (isReservedName(array.name, false))
            refuse("has a variable with the name '" + array.name + "', which PTX reserves");
        if (array.bytes > kMaxArrayBytes)
            refuse("has arrays of more than 64 MiB");
        if (m_module.variables.size() == kMaxArrays)
            refuse("has more than 256 arrays and variables");
        m_module.variables.push_back({array, word == ".const", hasPointers, m_at});
    }
    /// Parses a function. @param head its first line, from ".func" on
    void readFunction(std::string_view head, bool isExternal) {
        PtxFunction function;
        std::string text;
        for (std::string_view line = head; line != "{" && line != ";"; line = m_module.lines[m_at]) {
            (text += line) += ' ';
            if (line.find_first_of(";{}") != std::string_view::npos || ++m_at == m_module.lines.size())
                refuse("has a function with an unsupported head");
        }
        function.signature = signatureIn(text);
        std::string_view rest = function.signature;
        takeWord(rest);
        std::string_view name = takeWord(rest);
        if (name == "(") { // the parenthesis begins the return value
            rest.remove_prefix(std::min(rest.find(')') + 1, rest.size()));
            name = takeWord(rest);
        }
        function.name = name;
        if (isReservedName(name, true) && m_module.lines[m_at] == "{")
            refuse("has a function with the name '" + function.name + "', which PTX reserves");
        if (m_module.lines[m_at] == "{") {
            function.isDefined = !isExternal;
            function.begin = m_at + 1;
            int depth = 1;
            while (depth > 0) {
                if (++m_at == m_module.lines.size())
                    refuse("has a function that does not end");
                const std::string_view line = m_module.lines[m_at];
                depth += line.starts_with('{') ? 1 : line.starts_with('}') ? -1 : 0;
            }
            function.end = m_at;
        }
        m_module.functions.push_back(std::move(function));
    }

    PtxModule& m_module;
    std::string m_file;
    std::size_t m_at = 0;
};

} // namespace

std::uint64_t sourceLineIn(const PtxModule& module, std::string_view location) {
    const std::uint64_t file = numberIn(takeWord(location)), line = numberIn(takeWord(location));
    return file == module.fileNumber ? line : 0;
}

std::uint64_t sourceLineOf(const PtxModule& module, std::size_t line) {
    while (line-- > 0 && module.lines[line] != "{") {
        std::string_view rest = module.lines[line];
        if (takeWord(rest) == ".loc")
            if (const std::uint64_t found = sourceLineIn(module, rest))
                return found;
    }
    return 0;
}

std::vector<std::string_view> targetsOf(const PtxModule& module, const PtxFunction& function,
                                        std::string_view list) {
    std::vector<std::string_view> targets;
    for (std::size_t i = function.begin; i < function.end; ++i) {
        const std::string_view line = module.lines[i];
        if (list.empty() || !line.starts_with(list) || !line.substr(list.size()).starts_with(':') ||
            line.find(".branchtargets") == std::string_view::npos)
            continue;
        for (; i < function.end; ++i) {
            const auto names = namesIn(module.lines[i]);
            targets.insert(targets.end(), names.begin(), names.end());
            if (module.lines[i].ends_with(';'))
                break;
        }
        std::erase_if(targets, [&](std::string_view name) { return name == list; });
        break;
    }
    return targets;
}

std::set<std::string_view> loopLabelsOf(const PtxModule& module, const PtxFunction& function,
                                        const std::stop_token& stop) {
    std::set<std::string_view> known, loops;
    for (std::size_t i = function.begin; i < function.end; ++i) {
        if (stop.stop_requested())
            throw Cancelled();
        const std::string_view line = module.lines[i];
        if (line.ends_with(':')) {
            if (!known.insert(line.substr(0, line.size() - 1)).second)
                refuse("compiles to unsupported instructions");
            continue;
        }
        const auto names = namesIn(line);
        for (const std::string_view name : names)
            if (known.contains(name))
                loops.insert(name);
        // the list may precede the label, while the jump follows the label
        if (!names.empty() && (line.starts_with("brx") || line.find(" brx") != std::string_view::npos))
            for (const std::string_view target : targetsOf(module, function, names.back()))
                if (known.contains(target))
                    loops.insert(target);
    }
    return loops;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(kBlank);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kBlank) + 1 - begin);
}

std::string signatureIn(std::string_view head) {
    std::string signature;
    for (const char c : head) {
        const bool isBlank = kBlank.find(c) != std::string_view::npos || c == '\n';
        const bool isApart = c == '(' || c == ')' || c == ',';
        if ((isBlank || isApart) && !signature.ends_with(' '))
            signature += ' ';
        if (isApart)
            (signature += c) += ' ';
        else if (!isBlank)
            signature += c;
    }
    return signature.ends_with(' ') ? signature : signature + ' ';
}

std::string_view takeWord(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find_first_of(kBlank));
    text.remove_prefix(word.size());
    return word;
}

std::uint64_t numberIn(std::string_view text) {
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::uint64_t bytesOfType(std::string_view type) {
    if (type.empty() || std::string_view("busf").find(type.front()) == std::string_view::npos)
        return 0;
    return numberIn(type.substr(1)) / 8;
}

PtxArray arrayOf(std::string_view declaration) {
    PtxArray array;
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

bool isNamePart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

std::vector<std::string_view> namesIn(std::string_view text) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && isNamePart(text[end]))
            ++end;
        if (end > i && (text[i] < '0' || text[i] > '9') &&
            (i == 0 || (text[i - 1] != '%' && text[i - 1] != '.')))
            names.push_back(text.substr(i, end - i));
        i = std::max(end, i + 1);
    }
    return names;
}

PtxModule parsedPtx(std::string_view ptx, std::string_view file) {
    PtxModule module;
    splitLines(module, ptx);
    Reader(module, file).read();
    return module;
}

} // namespace scanloupe::cuda
