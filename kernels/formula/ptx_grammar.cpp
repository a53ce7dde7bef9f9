// Compares lines of PTX with the accepted forms.
#include "kernels/formula/ptx_grammar.h"

#include "kernels/formula/ptx_module.h"

#include <algorithm>
#include <array>
#include <vector>

namespace scanloupe::cuda {

namespace {

constexpr std::uint64_t kMaxAlignment = 16, kMaxNumber = std::uint64_t{1} << 40;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isNumberedName(std::string_view name, std::string_view begin) {
    return name.starts_with(begin) && name.size() > begin.size() &&
           std::ranges::all_of(name.substr(begin.size()), isDigit);
}

/// Splits text into tokens: words, including a leading dot or percent sign, and single other characters.
class Tokens {
public:
    explicit Tokens(std::string_view text) {
        for (std::size_t i = 0; i < text.size();) {
            std::size_t end = i + 1;
            if (isNamePart(text[i]) || text[i] == '.' || text[i] == '%')
                while (end < text.size() && isNamePart(text[end]))
                    ++end;
            if (text[i] != ' ' && text[i] != '\t')
                m_tokens.push_back(text.substr(i, end - i));
            i = end;
        }
    }

    bool isEnd() const { return m_at == m_tokens.size(); }
    std::string_view next() const { return isEnd() ? std::string_view() : m_tokens[m_at]; }
    bool take(std::string_view token) {
        const bool isNext = !isEnd() && m_tokens[m_at] == token;
        m_at += isNext;
        return isNext;
    }
    bool takeName() {
        const std::string_view token = next();
        return takeIf(!token.empty() && isNamePart(token[0]) && !isDigit(token[0]));
    }
    bool takeNumber(std::uint64_t most) {
        const std::string_view token = next();
        return takeIf(!token.empty() && token.size() < 16 && std::ranges::all_of(token, isDigit) &&
                      numberIn(token) > 0 && numberIn(token) <= most);
    }
    bool takeType() {
        constexpr std::array types{".b8",  ".b16", ".b32", ".b64", ".u8",  ".u16", ".u32",
                                   ".u64", ".s8",  ".s16", ".s32", ".s64", ".f32", ".f64"};
        return takeIf(std::ranges::find(types, next()) != types.end());
    }
    /// Parses a declaration such as ".param .align 8 .b8 name[32]".
    bool takeDeclaration(std::string_view space) {
        if (!take(space) || (take(".align") && !takeNumber(kMaxAlignment)) || !takeType() || !takeName())
            return false;
        return !take("[") || (takeNumber(kMaxNumber) && take("]"));
    }

private:
    bool takeIf(bool isKnown) {
        m_at += isKnown;
        return isKnown;
    }

    std::vector<std::string_view> m_tokens;
    std::size_t m_at = 0;
};

} // namespace

bool isPlainSignature(std::string_view signature) {
    Tokens tokens(signature);
    if (!tokens.take(".func") ||
        (tokens.take("(") && (!tokens.takeDeclaration(".param") || !tokens.take(")"))) || !tokens.takeName())
        return false;
    if (tokens.take("(") && !tokens.take(")")) {
        do {
            if (!tokens.takeDeclaration(".param"))
                return false;
        } while (tokens.take(","));
        if (!tokens.take(")"))
            return false;
    }
    return tokens.isEnd();
}

bool isPlainVariable(std::string_view line, bool& hasNames) {
    Tokens tokens(line);
    hasNames = false;
    if (!tokens.take(".visible"))
        tokens.take(".weak");
    if (!tokens.takeDeclaration(tokens.next() == ".const" ? ".const" : ".global"))
        return false;
    if (tokens.take("=")) {
        for (; !tokens.isEnd() && tokens.next() != ";"; tokens.take(tokens.next())) {
            const char first = tokens.next().front();
            hasNames = hasNames || (isNamePart(first) && !isDigit(first)) || first == '(';
            if (!isNamePart(first) && std::string_view("{},-+()").find(first) == std::string_view::npos)
                return false;
        }
    }
    return tokens.take(";") && tokens.isEnd();
}

bool isPlainArray(std::string_view line, std::string_view space) {
    Tokens tokens(line);
    return tokens.takeDeclaration(space) && tokens.take(";") && tokens.isEnd();
}

std::uint64_t registersIn(std::string_view line) {
    Tokens tokens(line);
    if (!tokens.take(".reg") || (!tokens.take(".pred") && !tokens.takeType()))
        return 0;
    std::uint64_t count = 0;
    do {
        const std::string_view name = tokens.next();
        // would shadow a register of the device that the guard reads
        const bool isOfDevice = name == "%globaltimer" || name == "%tid";
        if (name.size() < 2 || isOfDevice || (name[0] != '%' && !isNamePart(name[0])) || !tokens.take(name))
            return 0;
        ++count;
    } while (tokens.take(","));
    if (count == 1 && tokens.take("<")) {
        count = numberIn(tokens.next());
        if (!tokens.takeNumber(kMaxNumber) || !tokens.take(">"))
            return 0;
    }
    return tokens.take(";") && tokens.isEnd() ? count : 0;
}

bool isBranchList(std::string_view statement) {
    Tokens tokens(statement);
    if (!tokens.takeName() || !tokens.take(":") || !tokens.take(".branchtargets"))
        return false;
    do {
        if (!tokens.takeName())
            return false;
    } while (tokens.take(","));
    return tokens.take(";") && tokens.isEnd();
}

bool isPlainInstruction(std::string_view statement) {
    constexpr std::string_view marks = " \t.%,+-[](){}|!";
    if (!statement.ends_with(';'))
        return false;
    statement.remove_suffix(1);
    if (statement.starts_with('@'))
        statement.remove_prefix(1);
    const auto isOnce = [&](char open, char close) {
        const std::size_t begin = statement.find(open), end = statement.find(close);
        return std::ranges::count(statement, open) <= 1 && std::ranges::count(statement, close) <= 1 &&
               (begin == std::string_view::npos) == (end == std::string_view::npos) && begin <= end;
    };
    return isOnce('[', ']') && isOnce('{', '}') && std::ranges::all_of(statement, [&](char c) {
               return isNamePart(c) || marks.find(c) != std::string_view::npos;
           });
}

bool isReservedName(std::string_view name, bool isFunction) {
    // also checks the end of names such as "name_param_0"
    const std::string_view last = name.substr(std::min(name.rfind("_param_") + 1, name.size()));
    const auto isNumbered = [&](std::string_view begin) {
        return isNumberedName(name, begin) || isNumberedName(last, begin);
    };
    for (const char* begin : {"param", "param_", "retval", "func_retval", "prototype_"})
        if (isNumbered(begin))
            return true;
    for (const char* begin : {"__local_depot", "$L", "temp_param_reg", "WARP_SZ"})
        if (name.starts_with(begin))
            return true;
    // Assemblers call functions of the driver with such names, for divisions and the like. Variables may have
    // such names, as tables of NVRTC do.
    if (isFunction)
        for (const char* begin : {"__cuda", "__nv", "__assert", "cuda", "cnp", "vprintf", "malloc", "free"})
            if (name.starts_with(begin))
                return true;
    return false;
}

} // namespace scanloupe::cuda
