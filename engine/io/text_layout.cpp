#include "engine/io/text_layout.h"

#include "engine/io/field_names.h"
#include "engine/io/file_kind.h"
#include "engine/io/text_columns.h"
#include "engine/io/text_number.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <string_view>

namespace scanloupe {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
constexpr std::size_t kSampleRows = 200;

struct Line {
    std::string_view text;
    std::uint64_t offset = 0;
    bool comment = false;
};

/// The lines of the head that are not blank; the last one is left out where it may be cut off.
std::vector<Line> splitLines(std::string_view head, std::size_t from, char newline, bool whole) {
    std::vector<Line> lines;
    for (std::size_t at = from; at < head.size();) {
        const std::size_t end = head.find(newline, at);
        if (end == std::string_view::npos && !whole)
            break;
        const std::size_t lineEnd = std::min(end, head.size());
        std::string_view text = head.substr(at, lineEnd - at);
        while (!text.empty() && isTextBlank(text.front()))
            text.remove_prefix(1);
        while (!text.empty() && isTextBlank(text.back()))
            text.remove_suffix(1);
        if (!text.empty())
            lines.push_back({text, at, text.starts_with("#") || text.starts_with("//")});
        at = lineEnd + 1;
    }
    return lines;
}

std::vector<std::string> splitTokens(std::string_view line, char delimiter) {
    std::vector<std::string> tokens;
    std::string token;
    bool quoted = false, any = false;
    const auto flush = [&](bool always) {
        while (!token.empty() && isTextBlank(token.back()))
            token.pop_back();
        if (any || always)
            tokens.push_back(token);
        token.clear();
        any = false;
    };
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
            any = true;
        } else if (!quoted && delimiter != ' ' && c == delimiter) {
            flush(true);
        } else if (!quoted && isTextBlank(c)) {
            if (delimiter == ' ')
                flush(false);
            else if (any)
                token += c;
        } else {
            token += c;
            any = true;
        }
    }
    flush(false);
    return tokens;
}

bool isNumber(const std::string& token, TextNumber& number) {
    number = parseNumber(token.data(), token.data() + token.size(), '\0');
    return number.end == token.data() + token.size() && !token.empty();
}

bool isNumber(const std::string& token) {
    TextNumber ignored;
    return isNumber(token, ignored);
}

bool isCount(std::string_view line) {
    return !line.empty() && line.size() < 19 &&
           std::all_of(line.begin(), line.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// 1,5 2,5 3,5: blanks between values, and every value with a comma in its middle.
bool hasDecimalCommas(std::string_view row, char delimiter) {
    if (delimiter == ' ' || row.find('.') != std::string_view::npos)
        return false;
    const auto tokens = splitTokens(row, delimiter == ';' ? ';' : ' ');
    std::size_t commas = 0;
    for (const std::string& token : tokens) {
        const auto comma = token.find(',');
        if (comma == std::string::npos)
            continue;
        if (comma == 0 || comma + 1 == token.size() || token.find(',', comma + 1) != std::string::npos)
            return false;
        ++commas;
    }
    return tokens.size() >= 3 && (delimiter == ';' ? commas > 0 : commas == tokens.size());
}

bool hasCoordinates(const std::vector<std::string>& names) {
    const auto canonical = canonicalNames(names);
    constexpr std::string_view axes = "xyz";
    return std::all_of(axes.begin(), axes.end(), [&](char axis) {
        return std::find(canonical.begin(), canonical.end(), std::string(1, axis)) != canonical.end();
    });
}

/// The number of values that most rows have.
std::size_t usualWidth(const std::vector<std::vector<std::string>>& rows) {
    std::map<std::size_t, std::size_t> widths;
    for (const auto& row : rows)
        ++widths[row.size()];
    std::size_t best = 0;
    for (const auto& [width, count] : widths)
        if (best == 0 || count > widths[best])
            best = width;
    return best;
}

std::vector<ColumnSample> sampleColumns(const std::vector<std::vector<std::string>>& rows,
                                        std::size_t columns) {
    std::vector<ColumnSample> samples(columns);
    for (const auto& row : rows) {
        TextNumber number;
        for (std::size_t c = 0; c < std::min(columns, row.size()); ++c)
            if (isNumber(row[c], number))
                samples[c].add(number.value, number.decimals);
    }
    return samples;
}

std::vector<TextField> makeFields(const std::vector<std::string>& names,
                                  const std::vector<ColumnSample>& samples,
                                  std::vector<std::string>& warnings) {
    const auto canonical = canonicalNames(names);
    std::vector<TextField> fields;
    for (std::size_t c = 0; c < names.size(); ++c) {
        TextField field;
        field.name = names[c];
        field.widens = true;
        const bool coordinate = canonical[c].size() == 1 && canonical[c][0] >= 'x' && canonical[c][0] <= 'z';
        field.type = coordinate ? ScalarType::float64 : samples[c].type();
        field.dropped = !coordinate && samples[c].numbers == 0;
        if (field.dropped)
            warnings.push_back("The column '" + names[c] + "' holds no numbers and was left out.");
        fields.push_back(field);
    }
    return fields;
}

} // namespace

SniffedText sniffText(const InputFile& file) {
    const std::string head = file.head(kHeadBytes);
    SniffedText sniffed;
    sniffed.newline = head.find('\n') == std::string::npos ? '\r' : '\n';
    const std::size_t from = head.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    const auto lines = splitLines(head, from, sniffed.newline, head.size() == file.size());
    auto line = std::find_if(lines.begin(), lines.end(), [](const Line& l) { return !l.comment; });
    const auto refuse = [&](const std::string& what) {
        throw EngineError("'" + file.name() + "' " + what,
                          "Give it rows of at least x, y and z, with or without a header of column names.");
    };
    if (line == lines.end())
        refuse("has no rows of numbers");
    std::vector<std::string> names;
    if (isCount(line->text) && line + 1 != lines.end()) {
        sniffed.claimedRows = std::stoull(std::string(line->text));
        ++line;
    } else if (const auto tokens = splitTokens(line->text, sniffDelimiter(line->text));
               !tokens.empty() && !isNumber(tokens[0]) &&
               !hasDecimalCommas(line->text, sniffDelimiter(line->text))) {
        names = tokens;
        ++line;
    }
    line = std::find_if(line, lines.end(), [](const Line& l) { return !l.comment; });
    if (line == lines.end()) {
        if (names.empty() || !hasCoordinates(names))
            refuse("has no rows of numbers");
        sniffed.dataOffset = file.size(); // a header, and no points
        sniffed.header = true;
        sniffed.layout.fields = makeFields(
            names, std::vector<ColumnSample>(names.size(), {1, 0, 0, true, true}), sniffed.warnings);
        return sniffed;
    }
    sniffed.dataOffset = line->offset;
    sniffed.layout.delimiter = sniffDelimiter(line->text);
    if (hasDecimalCommas(line->text, sniffed.layout.delimiter)) {
        sniffed.layout.decimalComma = true;
        if (sniffed.layout.delimiter == ',')
            sniffed.layout.delimiter = ' ';
    }
    std::vector<std::vector<std::string>> rows;
    for (auto l = line; l != lines.end() && rows.size() < kSampleRows; ++l) {
        if (l->comment)
            continue;
        std::string text(l->text);
        if (sniffed.layout.decimalComma)
            std::replace(text.begin(), text.end(), ',', '.');
        rows.push_back(splitTokens(text, sniffed.layout.delimiter));
    }
    std::size_t columns = usualWidth(rows);
    if (names.empty() && line != lines.begin() && (line - 1)->comment) {
        // the comment before the first row may name the columns: //X Y Z Intensity
        const std::string text = tidyName((line - 1)->text);
        auto tokens = splitTokens(text, sniffDelimiter(text));
        if (tokens.size() == columns && hasCoordinates(tokens))
            names = std::move(tokens);
    }
    sniffed.header = !names.empty();
    if (sniffed.header)
        columns = std::min(columns, names.size());
    if (columns < 3)
        refuse("has rows of " + std::to_string(columns) + " values, too few for a point");
    if (columns > 4096)
        refuse("has rows of more than 4096 values");
    const auto samples = sampleColumns(rows, columns);
    if (sniffed.header)
        names.resize(columns);
    else
        names =
            guessColumnNames(samples, sniffed.claimedRows.has_value() || lowerEnding(file.path()) == ".pts");
    sniffed.layout.fields = makeFields(names, samples, sniffed.warnings);
    return sniffed;
}

} // namespace scanloupe
