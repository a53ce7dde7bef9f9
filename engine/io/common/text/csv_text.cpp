// Quotes text for CSV, and prevents spreadsheets from interpreting it as a formula.
#include "engine/io/common/text/csv_text.h"

#include "engine/io/common/text/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace scanloupe {

namespace {

bool isNumber(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && at == end;
}

} // namespace

std::string withoutFormula(const std::string& text) {
    // characters that start a formula, including full-width forms
    constexpr std::array<std::string_view, 11> beginnings{"=",  "+",      "-",      "@",      "\t",    "\r",
                                                          "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20"};
    const bool begins = std::ranges::any_of(
        beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
    return (begins && !isNumber(text) ? "'" : "") + printableText(text);
}

std::string quotedForCsv(std::string text) {
    text = withoutFormula(text);
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '"');
    return '"' + text + '"';
}

} // namespace scanloupe
