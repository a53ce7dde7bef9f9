#include "engine/io/text_layout.h"

#include "engine/io/field_names.h"
#include "engine/io/file_kind.h"
#include "engine/io/text_columns.h"
#include "engine/io/text_tokens.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace scanloupe {

namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 16;
constexpr std::size_t kSampleRows = 200;
constexpr std::size_t kMostColumns = 4096;

using Lines = std::vector<TextLine>;
using LineIterator = Lines::const_iterator;
using Rows = std::vector<std::vector<std::string>>;

bool hasCoordinates(const std::vector<std::string>& names) {
    const auto canonical = canonicalNames(names);
    constexpr std::string_view axes = "xyz";
    return std::all_of(axes.begin(), axes.end(), [&](char axis) {
        return std::find(canonical.begin(), canonical.end(), std::string(1, axis)) != canonical.end();
    });
}

/// The number of values that most rows have.
std::size_t usualWidth(const Rows& rows) {
    std::map<std::size_t, std::size_t> widths;
    for (const auto& row : rows)
        ++widths[row.size()];
    std::size_t best = 0;
    for (const auto& [width, count] : widths)
        if (best == 0 || count > widths[best])
            best = width;
    return best;
}

std::vector<ColumnSample> sampleColumns(const Rows& rows, std::size_t columns) {
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
    const bool anyRows =
        std::any_of(samples.begin(), samples.end(), [](const ColumnSample& s) { return s.numbers > 0; });
    std::vector<TextField> fields;
    for (std::size_t c = 0; c < names.size(); ++c) {
        TextField field;
        field.name = names[c];
        field.widens = true;
        const bool coordinate = canonical[c].size() == 1 && canonical[c][0] >= 'x' && canonical[c][0] <= 'z';
        field.type = coordinate ? ScalarType::float64 : samples[c].type();
        field.dropped = !coordinate && anyRows && samples[c].numbers == 0;
        if (field.dropped)
            warnings.push_back("The column '" + names[c] + "' holds no numbers and was left out.");
        fields.push_back(field);
    }
    return fields;
}

[[noreturn]] void refuse(const InputFile& file, const std::string& what) {
    throw EngineError("'" + file.name() + "' " + what,
                      "Give it rows of at least x, y and z, with or without a header of column names.");
}

LineIterator nextRow(LineIterator line, const Lines& lines) {
    return std::find_if(line, lines.end(), [](const TextLine& l) { return !l.comment; });
}

/// The names that a comment before the first row gives the columns, as in //X Y Z Intensity; else nothing.
std::vector<std::string> namesOfComment(const Lines& lines, LineIterator row) {
    if (row == lines.begin() || !(row - 1)->comment)
        return {};
    const std::string text = tidyName((row - 1)->text);
    auto names = splitTokens(text, sniffDelimiter(text));
    return hasCoordinates(names) ? names : std::vector<std::string>();
}

/// Moves past a count of points or a line of names, and keeps what it says.
LineIterator readHeader(const Lines& lines, LineIterator line, SniffedText& sniffed,
                        std::vector<std::string>& names) {
    if (line == lines.end())
        return line;
    const char delimiter = sniffDelimiter(line->text);
    if (isCount(line->text) && line + 1 != lines.end()) {
        sniffed.claimedRows = std::stoull(std::string(line->text));
        return nextRow(line + 1, lines);
    }
    const auto tokens = splitTokens(line->text, delimiter);
    if (tokens.empty() || isNumber(tokens[0]) || hasDecimalCommas(line->text, delimiter))
        return line;
    names = tokens;
    return nextRow(line + 1, lines);
}

/// Delimiter and decimal sign from the first row; the values of it and those after it.
Rows splitRows(const Lines& lines, LineIterator first, TextLayout& layout) {
    layout.delimiter = sniffDelimiter(first->text);
    layout.decimalComma = hasDecimalCommas(first->text, layout.delimiter);
    if (layout.decimalComma && layout.delimiter == ',')
        layout.delimiter = ' ';
    Rows rows;
    for (auto line = first; line != lines.end() && rows.size() < kSampleRows;
         line = nextRow(line + 1, lines)) {
        std::string text(line->text);
        if (layout.decimalComma)
            std::replace(text.begin(), text.end(), ',', '.');
        rows.push_back(splitTokens(text, layout.delimiter));
    }
    return rows;
}

} // namespace

SniffedText sniffText(const InputFile& file) {
    const std::string head = file.head(kHeadBytes);
    SniffedText sniffed;
    sniffed.newline = head.find('\n') == std::string::npos ? '\r' : '\n';
    const std::size_t from = head.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    const auto lines = splitLines(head, from, sniffed.newline, head.size() == file.size());
    std::vector<std::string> names;
    const auto first = readHeader(lines, nextRow(lines.begin(), lines), sniffed, names);
    const bool empty = first == lines.end();
    Rows rows;
    if (!empty)
        rows = splitRows(lines, first, sniffed.layout);
    std::size_t columns = usualWidth(rows);
    if (names.empty())
        names = namesOfComment(lines, first);
    if (!empty && names.size() != columns && !names.empty() && (first - 1)->comment)
        names.clear(); // the comment is about something else
    sniffed.header = !names.empty();
    if (empty && !hasCoordinates(names))
        refuse(file, "has no rows of numbers");
    if (sniffed.header)
        columns = empty ? names.size() : std::min(columns, names.size());
    if (columns < 3 || columns > kMostColumns)
        refuse(file, "has rows of " + std::to_string(columns) + " values, which are no points");
    const auto samples = sampleColumns(rows, columns);
    if (sniffed.header)
        names.resize(columns);
    else
        names =
            guessColumnNames(samples, sniffed.claimedRows.has_value() || lowerEnding(file.path()) == ".pts");
    sniffed.layout.fields = makeFields(names, samples, sniffed.warnings);
    sniffed.dataOffset = empty ? file.size() : first->offset;
    return sniffed;
}

} // namespace scanloupe
