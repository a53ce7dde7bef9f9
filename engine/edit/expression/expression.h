#pragma once
// Declares formulas that the user writes over named values, such as `height > 2 && intensity < 0.1`.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// Returns the functions that formulas may use, in the form "sqrt(a)". (Comparisons, && and || give 1 or 0.)
std::span<const std::string_view> expressionFunctions();

/// Returns the name of an attribute in formulas. It consists of letters, digits and _ and does not begin with
/// a digit; other characters are replaced by _.
std::string expressionName(std::string_view attribute);

/// A formula that is evaluated in double precision. It may contain numbers, names, functions, and the
/// operators + - * / < <= > >= == != && || ! and a ? b : c. The precedence is that of C, except that all
/// comparisons have the same precedence. Dividing by 0 gives infinity or NaN.
class Expression {
public:
    /// Parses a formula.
    /// @param names the permitted variables
    /// @throws EngineError with the problem and its position
    Expression(std::string_view text, std::span<const std::string> names);

    /// Returns the indices in `names` of the variables that the formula uses.
    const std::vector<std::size_t>& used() const { return m_used; }
    /// Returns the formula as C++ with the variables v0, v1, … of a type Num, in the order of used(); none if
    /// the formula contains functions that a GPU rounds differently.
    std::optional<std::string> deviceText() const;
    /// Evaluates the formula for `results.size()` rows. Thread-safe.
    /// @param columns one column of values for each of used(), as long as `results`
    void evaluate(std::span<const double* const> columns, std::span<double> results) const;

private:
    std::string m_text; ///< the formula with all parentheses, names v0, v1, …, and a # before and after each
                        ///< number
    std::vector<std::size_t> m_used;
};

} // namespace scanloupe
