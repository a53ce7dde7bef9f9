// Detects the delimiter and the decimal separator of text rows.
#include "engine/io/text/text_style.h"

#include "engine/io/text/text_tokens.h"

#include <algorithm>
#include <map>

namespace scanloupe {

namespace {

/// Numbers of values with a decimal comma and with a decimal point.
struct DecimalSeparators {
    std::size_t commas = 0, points = 0;
};

/// Returns whether a token is a number with a decimal comma, such as 1,5 or -1,5e3.
bool hasDecimalComma(const std::string& token) {
    return token.find(',') != std::string::npos && isCommaNumber(token);
}

/// Counts the values of a row by decimal separator. Returns false if a value has a comma, but is not a number
/// with a decimal comma.
bool countSeparators(const std::vector<std::string>& tokens, DecimalSeparators& separators) {
    bool clean = true;
    for (const std::string& token : tokens) {
        const bool comma = token.find(',') != std::string::npos;
        if (comma && hasDecimalComma(token))
            ++separators.commas;
        else if (comma)
            clean = false;
        else if (token.find('.') != std::string::npos && isNumber(token))
            ++separators.points;
    }
    return clean;
}

/// Returns whether most rows with commas use them as decimal separators. Such a row has at least three values
/// between blanks, no decimal points, and no other commas.
bool commasAreDecimal(std::span<const HeadLine> rows) {
    std::size_t decimal = 0, other = 0;
    for (const HeadLine& row : rows) {
        if (row.text.find(',') == std::string::npos)
            continue;
        const auto tokens = splitTokens(row.text, ' ');
        DecimalSeparators separators;
        const bool clean =
            countSeparators(tokens, separators) && tokens.size() >= 3 && separators.points == 0;
        ++(clean ? decimal : other);
    }
    return decimal > other;
}

/// Returns whether only tabs separate the values: each field between tabs is a single value, and no column is
/// empty.
bool areTabDelimited(std::span<const HeadLine> rows, const std::string& header) {
    TextTable table;
    for (const HeadLine& row : rows)
        table.push_back(splitRow(row.text, '\t'));
    const std::size_t width = modalColumnCount(table);
    if (width < 3)
        return false;
    std::vector<bool> filled(width, false);
    if (!header.empty()) {
        const auto names = splitRow(header, '\t');
        if (names.size() + 1 < width || names.size() > width)
            return false;
        for (std::size_t c = 0; c < names.size(); ++c)
            filled[c] = !names[c].empty();
    }
    std::size_t alike = 0;
    for (const auto& row : table) {
        if (row.size() != width)
            continue;
        ++alike;
        for (std::size_t c = 0; c < width; ++c) {
            filled[c] = filled[c] || !row[c].empty();
            if (const auto blank = row[c].find(' ');
                blank != std::string::npos && isCommaNumber(row[c].substr(0, blank)))
                return false; // several numbers between spaces
        }
    }
    filled.back() = true; // the last column may be empty, since all rows may end with a tab
    return 2 * alike > table.size() &&
           std::all_of(filled.begin(), filled.end(), [](bool some) { return some; });
}

std::size_t countRowsWith(std::span<const HeadLine> rows, char character) {
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const HeadLine& row) {
        return row.text.find(character) != std::string::npos;
    }));
}

char sniffRowDelimiter(std::span<const HeadLine> rows, const std::string& header) {
    for (const char delimiter : {';', '|'})
        if (2 * countRowsWith(rows, delimiter) >= rows.size())
            return delimiter;
    if (2 * countRowsWith(rows, ',') >= rows.size() && !commasAreDecimal(rows))
        return ',';
    return areTabDelimited(rows, header) ? '\t' : ' ';
}

} // namespace

TextStyle sniffStyle(std::span<const HeadLine> rows, const std::string& header) {
    TextStyle style;
    style.delimiter = sniffRowDelimiter(rows, header);
    if (style.delimiter == ',')
        return style;
    DecimalSeparators separators;
    for (const HeadLine& row : rows)
        countSeparators(splitRow(row.text, style.delimiter), separators);
    // if all sampled numbers are integers, a comma in later rows can only be a decimal separator
    style.decimalComma = separators.commas > separators.points || separators.points == 0;
    return style;
}

std::vector<std::string> splitRow(const std::string& line, char delimiter) {
    auto values = splitTokens(line, delimiter);
    const bool endsWithDelimiter = delimiter != ' ' && !line.empty() && line.back() == delimiter;
    if (endsWithDelimiter)
        values.emplace_back();
    return values;
}

TextTable splitRows(std::span<const HeadLine> rows, const TextStyle& style) {
    TextTable table;
    for (const HeadLine& row : rows) {
        std::string text = row.text;
        if (style.decimalComma)
            std::replace(text.begin(), text.end(), ',', '.');
        table.push_back(splitRow(text, style.delimiter));
    }
    return table;
}

std::size_t modalColumnCount(const TextTable& rows) {
    std::map<std::size_t, std::size_t> widths;
    for (const auto& row : rows)
        ++widths[row.size()];
    std::size_t best = 0;
    for (const auto& [width, count] : widths)
        if (best == 0 || count > widths[best])
            best = width;
    return best;
}

} // namespace scanloupe
