#pragma once
// Declares users' formulas over named values, such as `height > 2 && intensity < 0.1`.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

/// The functions of formulas, as "sqrt(a)"; comparisons, && and || give 1 or 0.
std::span<const std::string_view> expressionFunctions();

/// A name that a formula can have: letters, digits and _, not beginning with a digit; others become _.
std::string expressionName(std::string_view attribute);

/// A formula in double precision: + - * / < <= > >= == != && || ! and a ? b : c, with the precedence of C,
/// except that all comparisons have the same; numbers, names, and functions. Dividing by 0 gives infinity or
/// NaN.
class Expression {
public:
    /// @param names the permitted variables
    /// @throws EngineError with the problem and its position
    Expression(std::string_view text, std::span<const std::string> names);

    /// The indices in `names` of the variables that it uses.
    const std::vector<std::size_t>& used() const { return m_used; }
    /// It as C++ of values v0, v1, … of a type Num, in the order of used(); none when it has functions that a
    /// GPU rounds otherwise.
    std::optional<std::string> deviceText() const;
    /// Evaluates it for `results.size()` rows. Thread-safe. @param columns a column of values for each of
    /// used(), as long as the results
    void evaluate(std::span<const double* const> columns, std::span<double> results) const;

private:
    std::string m_text; ///< with all parentheses set, names v0, v1, …, and a # before and after each number
    std::vector<std::size_t> m_used;
};

} // namespace scanloupe
