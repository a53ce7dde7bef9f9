// Parses formulas, reports their errors, and evaluates them with muparser.
#include "engine/edit/expression/expression.h"

#include "engine/cloud/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>
#include <optional>
#include <string>
#include <utility>

namespace scanloupe {

namespace {

constexpr std::size_t kLongest = 4096; // maximum length in characters
constexpr int kDeepest = 100;          // maximum nesting depth of parentheses
constexpr std::array<std::string_view, 17> kFunctions{
    "abs(a)",   "sqrt(a)",  "min(a, b)", "max(a, b)", "floor(a)",    "ceil(a)",
    "round(a)", "sin(a)",   "cos(a)",    "tan(a)",    "atan2(a, b)", "exp(a)",
    "ln(a)",    "log10(a)", "pow(a, b)", "isnan(a)",  "sign(a)"};

bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Returns the number of arguments of a function; none for an unknown name.
std::optional<std::size_t> argumentsOf(std::string_view name) {
    for (const std::string_view function : kFunctions)
        if (function.substr(0, function.find('(')) == name)
            return std::size_t(std::ranges::count(function, ',') + 1);
    return std::nullopt;
}

/// Parses a formula by recursive descent, and writes it with all parentheses made explicit.
class Reader {
public:
    Reader(std::string_view text, std::span<const std::string> names) : m_text(text), m_names(names) {}

    struct Formula {
        std::string text;
        std::vector<std::size_t> used; ///< indices of the used names; v0, v1, … stand for them in this order
    };
    Formula read() {
        if (m_text.size() > kLongest)
            fail(fmt::format("it is longer than {} characters", kLongest));
        std::string formula = choice();
        skipSpace();
        if (m_at < m_text.size() && m_text[m_at] == '=')
            fail("= does not compare values", "Write == to compare.");
        if (m_at < m_text.size())
            fail(fmt::format("unexpected '{}'", m_text.substr(m_at, 1)));
        return {std::move(formula), std::move(m_used)};
    }

private:
    [[noreturn]] void fail(const std::string& what, const std::string& next = {}) const {
        const std::string place = m_at < m_text.size() ? fmt::format("at '{}'", m_text.substr(m_at, 12))
                                                       : std::string("at the end");
        throw EngineError(
            fmt::format("The formula can't be read: {} {} (character {}).", what, place, m_at + 1),
            next.empty() ? "Correct it, for example: height > 2 && intensity < 0.1." : next);
    }
    void skipSpace() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n'))
            ++m_at;
    }
    /// Consumes a symbol if it comes next and is not the beginning of a longer symbol.
    bool take(std::string_view symbol) {
        skipSpace();
        if (!m_text.substr(m_at).starts_with(symbol))
            return false;
        const char after = m_at + symbol.size() < m_text.size() ? m_text[m_at + symbol.size()] : ' ';
        if ((symbol == "<" || symbol == ">" || symbol == "!") && after == '=')
            return false;
        m_at += symbol.size();
        return true;
    }
    void expect(std::string_view symbol, const char* what) {
        if (!take(symbol))
            fail(what);
    }

    /// Parses operands that are separated by operators of one precedence, which associate to the left.
    template <class Next>
    std::string chain(std::initializer_list<std::string_view> symbols, Next&& next) {
        std::string left = next();
        for (;;) {
            const auto symbol =
                std::ranges::find_if(symbols, [this](std::string_view one) { return take(one); });
            if (symbol == symbols.end())
                return left;
            left = fmt::format("({}{}{})", left, *symbol, next());
        }
    }
    std::string choice() {
        if (++m_depth > kDeepest)
            fail("parentheses are nested more than 100 deep");
        std::string formula = either();
        if (take("?")) {
            const std::string yes = choice();
            expect(":", "a : is missing after ?");
            formula = fmt::format("({} ? {} : {})", formula, yes, choice());
        }
        --m_depth;
        return formula;
    }
    std::string either() {
        return chain({"||"}, [this] { return both(); });
    }
    std::string both() {
        return chain({"&&"}, [this] { return comparison(); });
    }
    std::string comparison() {
        return chain({"<=", ">=", "==", "!=", "<", ">"}, [this] { return sum(); });
    }
    std::string sum() {
        return chain({"+", "-"}, [this] { return product(); });
    }
    std::string product() {
        return chain({"*", "/"}, [this] { return sign(); });
    }
    std::string sign() {
        if (++m_depth > kDeepest)
            fail("too many signs in a row");
        std::string formula;
        if (take("-"))
            formula = fmt::format("(#0#-{})", sign());
        else if (take("+"))
            formula = sign();
        else if (take("!"))
            formula = fmt::format("(({})==#0#)", sign());
        else
            formula = operand();
        --m_depth;
        return formula;
    }
    std::string operand() {
        skipSpace();
        if (take("(")) {
            std::string formula = choice();
            expect(")", "a closing parenthesis is missing");
            return formula;
        }
        if (m_at == m_text.size())
            fail("a number, a name or a function is missing");
        const char c = m_text[m_at];
        if (isDigit(c) || c == '.')
            return number();
        if (isLetter(c))
            return named();
        if (c == '=')
            fail("= does not compare values", "Write == to compare.");
        if (c == '^')
            fail("^ is not an operator", "Write pow(a, b), or a * a.");
        fail("a number, a name or a function is missing");
    }
    std::string number() {
        double value = 0;
        const char *begin = m_text.data() + m_at, *end = m_text.data() + m_text.size();
        const auto [last, error] = std::from_chars(begin, end, value);
        if (error != std::errc() || !std::isfinite(value))
            fail("invalid number");
        m_at += std::size_t(last - begin);
        return fmt::format("#{:.17g}#", value);
    }
    std::string named() {
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && (isLetter(m_text[m_at]) || isDigit(m_text[m_at])))
            ++m_at;
        const std::string_view name = m_text.substr(begin, m_at - begin);
        if (take("("))
            return call(name, begin);
        const auto known = std::ranges::find(m_names, name);
        if (known == m_names.end()) {
            m_at = begin;
            fail(fmt::format("unknown name '{}'", name),
                 fmt::format("Use one of: {}.", fmt::join(m_names, ", ")));
        }
        const auto index = std::size_t(known - m_names.begin());
        auto place = std::ranges::find(m_used, index);
        if (place == m_used.end())
            place = m_used.insert(place, index);
        return fmt::format("v{}", place - m_used.begin());
    }
    std::string call(std::string_view function, std::size_t begin) {
        const auto count = argumentsOf(function);
        if (!count) {
            m_at = begin;
            fail(fmt::format("unknown function '{}'", function),
                 fmt::format("Use one of: {}.", fmt::join(kFunctions, ", ")));
        }
        std::vector<std::string> arguments{choice()};
        while (take(","))
            arguments.push_back(choice());
        expect(")", "a closing parenthesis is missing");
        if (arguments.size() != *count)
            fail(fmt::format("'{}' needs {} argument{}", function, *count, *count == 1 ? "" : "s"));
        return fmt::format("f_{}({})", function, fmt::join(arguments, ","));
    }

    std::string_view m_text;
    std::span<const std::string> m_names;
    std::size_t m_at = 0;
    int m_depth = 0;
    std::vector<std::size_t> m_used;
};

void addFunctions(mu::Parser& parser) {
    using One = double (*)(double);
    using Two = double (*)(double, double);
    parser.DefineFun("f_abs", One([](double a) { return std::abs(a); }));
    parser.DefineFun("f_sqrt", One([](double a) { return std::sqrt(a); }));
    parser.DefineFun("f_floor", One([](double a) { return std::floor(a); }));
    parser.DefineFun("f_ceil", One([](double a) { return std::ceil(a); }));
    parser.DefineFun("f_round", One([](double a) { return std::round(a); }));
    parser.DefineFun("f_sin", One([](double a) { return std::sin(a); }));
    parser.DefineFun("f_cos", One([](double a) { return std::cos(a); }));
    parser.DefineFun("f_tan", One([](double a) { return std::tan(a); }));
    parser.DefineFun("f_exp", One([](double a) { return std::exp(a); }));
    parser.DefineFun("f_ln", One([](double a) { return std::log(a); }));
    parser.DefineFun("f_log10", One([](double a) { return std::log10(a); }));
    parser.DefineFun("f_isnan", One([](double a) { return std::isnan(a) ? 1.0 : 0.0; }));
    parser.DefineFun("f_sign", One([](double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : a; }));
    parser.DefineFun("f_min", Two([](double a, double b) { return b < a ? b : a; }));
    parser.DefineFun("f_max", Two([](double a, double b) { return b > a ? b : a; }));
    parser.DefineFun("f_pow", Two([](double a, double b) { return std::pow(a, b); }));
    parser.DefineFun("f_atan2", Two([](double a, double b) { return std::atan2(a, b); }));
}

} // namespace

std::span<const std::string_view> expressionFunctions() {
    return kFunctions;
}

std::string expressionName(std::string_view attribute) {
    std::string name;
    for (const char c : attribute)
        name += isLetter(c) || isDigit(c) ? c : '_';
    return name.empty() || isDigit(name.front()) ? "_" + name : name;
}

Expression::Expression(std::string_view text, std::span<const std::string> names) {
    Reader::Formula formula = Reader(text, names).read();
    m_text = std::move(formula.text);
    m_used = std::move(formula.used);
}

std::optional<std::string> Expression::deviceText() const {
    for (const char* other : {"f_sin", "f_cos", "f_tan", "f_atan2", "f_exp", "f_ln", "f_log10", "f_pow"})
        if (m_text.find(std::string(other) + "(") != std::string::npos)
            return std::nullopt;
    std::string text;
    bool begins = true;
    for (const char c : m_text)
        if (c != '#')
            text += c;
        else
            text += std::exchange(begins, !begins) ? "Num{" : "}";
    return text;
}

void Expression::evaluate(std::span<const double* const> columns, std::span<double> results) const {
    try {
        mu::Parser parser;
        parser.ClearConst();
        parser.EnableOptimizer(false); // the optimizer would combine terms, which changes the rounding
        addFunctions(parser);
        // muparser takes non-const pointers, but only reads the values
        for (std::size_t k = 0; k < m_used.size(); ++k)
            parser.DefineVar(fmt::format("v{}", k), const_cast<double*>(columns[k]));
        std::string text = m_text;
        std::erase(text, '#');
        parser.SetExpr(text);
        if (m_used.empty())
            std::ranges::fill(results, parser.Eval());
        else if (!results.empty())
            parser.Eval(results.data(), int(results.size()));
    } catch (const mu::ParserError& error) {
        throw EngineError(fmt::format("The formula can't be computed: {}.", error.GetMsg()),
                          "Simplify the formula.");
    }
}

} // namespace scanloupe
