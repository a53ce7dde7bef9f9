// Keeps text in CSV from being taken for formulas, and quotes it.
#include "engine/io/common/text/csv_text.h"

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

std::string withoutFormula(std::string text) {
    const bool begins = !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
    if (begins && !isNumber(text))
        text.insert(0, 1, '\'');
    return text;
}

std::string quotedForCsv(std::string text) {
    text = withoutFormula(std::move(text));
    for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2)
        text.insert(at, 1, '"');
    return '"' + text + '"';
}

} // namespace scanloupe
