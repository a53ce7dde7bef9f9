// Detects the layout of a text file: header, delimiter and columns.
#include "engine/io/text/text_layout.h"

#include "engine/cloud/error.h"
#include "engine/io/common/field_names.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/text/other_texts.h"
#include "engine/io/text/text_columns.h"
#include "engine/io/text/text_tokens.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

namespace scanloupe {

namespace {

constexpr std::size_t kSampleRows = 200;
constexpr std::size_t kMaxTextColumns = 4096;

using Names = std::vector<std::string>;

bool hasCoordinates(const Names& names) {
    const auto canonical = canonicalNames(names);
    constexpr std::string_view axes = "xyz";
    return std::all_of(axes.begin(), axes.end(), [&](char axis) {
        return std::find(canonical.begin(), canonical.end(), std::string(1, axis)) != canonical.end();
    });
}

std::vector<ColumnSample> sampleColumns(const TextTable& rows, std::size_t columns) {
    std::vector<ColumnSample> samples(columns);
    for (const auto& row : rows)
        for (std::size_t c = 0; c < std::min(columns, row.size()); ++c)
            samples[c].add(row[c]);
    return samples;
}

std::vector<TextField> makeFields(const Names& names, const std::vector<ColumnSample>& samples,
                                  std::vector<std::string>& warnings) {
    const auto canonical = canonicalNames(names);
    std::vector<TextField> fields;
    for (std::size_t c = 0; c < names.size(); ++c) {
        TextField field;
        field.name = names[c];
        field.widens = true;
        const bool coordinate = canonical[c].size() == 1 && canonical[c][0] >= 'x' && canonical[c][0] <= 'z';
        field.type = coordinate ? ScalarType::float64 : samples[c].type();
        field.whole = !coordinate && samples[c].allWhole();
        // a column without values in the sampled rows is kept, since later rows may have values
        field.dropped = !coordinate && samples[c].words > 0 && samples[c].numbers == 0;
        if (field.dropped)
            warnings.push_back("The column '" + names[c] +
                               "' was left out: it contains words instead of numbers.");
        fields.push_back(field);
    }
    return fields;
}

[[noreturn]] void refuse(const InputFile& file, const std::string& what) {
    throw EngineError(
        "'" + file.name() + "' " + what,
        "The file needs rows with at least x, y and z, with or without a header of column names.");
}

/// The first lines of a text, split into the lines before the rows, and the rows.
struct TextSections {
    std::optional<std::uint64_t> claimedRows; ///< point count before the rows
    std::string header;                       ///< the line with the column names; empty if there is none
    std::vector<std::string> headings;        ///< `header`, and lines of words after it
    std::vector<std::string> comments;        ///< comments before the first row
    std::span<const HeadLine> rows;
};

/// Returns whether a line may be a header: its first value is neither a number, nor a missing value that is
/// followed by a number.
bool isHeader(const std::string& line) {
    const auto tokens = splitTokens(line, sniffDelimiter(line));
    const auto between = splitTokens(line, ' '); // in case the commas are decimal separators
    if (tokens.empty() || isCommaNumber(tokens[0]) || isCommaNumber(between[0]))
        return false;
    return !(isMissing(tokens[0]) && tokens.size() > 1 && isNumber(tokens[1]));
}

/// Returns whether a line consists of words only, such as units below column names.
bool hasNoNumber(const std::string& line) {
    return std::ranges::none_of(splitTokens(line, sniffDelimiter(line)), [](const std::string& token) {
        return isCommaNumber(token) || (!token.empty() && isMissing(token));
    });
}

/// Returns the names in a line. The line is split by `delimiter`, or by the delimiter detected in the line
/// itself if only this results in the names x, y and z.
Names namesIn(const std::string& line, char delimiter) {
    const Names names = splitRow(line, delimiter);
    const Names own = splitRow(line, sniffDelimiter(line));
    return !hasCoordinates(names) && hasCoordinates(own) ? own : names;
}

/// Returns whether a row begins with a word, such as a point name, that is followed by three numbers.
bool beginsWithWord(const std::string& line) {
    const auto isRow = [&](char delimiter) {
        const auto tokens = splitTokens(line, delimiter);
        return tokens.size() > 3 && std::all_of(tokens.begin() + 1, tokens.begin() + 4, isCommaNumber);
    };
    return isHeader(line) && (isRow(sniffDelimiter(line)) || isRow(' '));
}

/// Returns whether the first two lines are rows that begin with a word. @param lines at least one line
bool beginWithWords(std::span<const HeadLine> lines) {
    return beginsWithWord(lines.front().text) && (lines.size() == 1 || beginsWithWord(lines[1].text));
}

/// Separates the rows from the lines before them: a point count, column names, or both in any order.
TextSections splitSections(const TextHead& head) {
    TextSections found;
    found.rows = head.lines;
    const auto takeComments = [&](const std::vector<std::string>& comments) {
        found.comments.insert(found.comments.end(), comments.begin(), comments.end());
    };
    const auto takeLine = [&] {
        const HeadLine& line = found.rows.front();
        takeComments(line.comments);
        found.rows = found.rows.subspan(1);
        return line.text;
    };
    const auto takeCount = [&] {
        if (!found.claimedRows && found.rows.size() > 1 && isCount(found.rows.front().text))
            found.claimedRows = std::stoull(takeLine());
    };
    takeCount();
    const std::string first = found.rows.empty() ? std::string() : found.rows.front().text;
    const bool namesAxes = hasCoordinates(namesIn(first, sniffDelimiter(first)));
    if (isHeader(first) && (namesAxes || (!found.claimedRows && !beginWithWords(found.rows)))) {
        found.header = first;
        do {
            found.headings.push_back(takeLine());
        } while (found.rows.size() > 1 && hasNoNumber(found.rows.front().text));
        takeCount();
    }
    takeComments(found.rows.empty() ? head.comments : found.rows.front().comments);
    return found;
}

/// Returns the column names in a comment before the rows, such as //X Y Z Intensity. Empty unless a comment
/// contains x, y, z and a name for each column. @param columns number of columns of the rows; 0 if there are
/// no rows
Names namesInComments(const std::vector<std::string>& comments, char delimiter, std::size_t columns) {
    for (auto comment = comments.rbegin(); comment != comments.rend(); ++comment) {
        const std::string bare =
            comment->substr(std::min(comment->find_first_not_of("#/ \t"), comment->size()));
        for (const std::string& line :
             {bare, tidyName(bare)}) { // tries the comment with and without remarks in brackets
            Names names = namesIn(line, delimiter);
            if ((columns == 0 || names.size() == columns) && hasCoordinates(names))
                return names;
        }
    }
    return {};
}

/// Assigns the chosen names to their columns. Other columns are numbered if they have no name, or the same
/// name as a chosen column.
Names withChosenNames(const InputFile& file, Names names, std::span<const ChosenColumn> chosen,
                      std::size_t columns) {
    const auto isChosen = [&](const std::string& name) {
        return std::ranges::any_of(
            chosen, [&](const ChosenColumn& one) { return tidyName(one.name) == tidyName(name); });
    };
    names.resize(columns);
    for (std::size_t c = 0; c < columns; ++c)
        if (names[c].empty() || isChosen(names[c]))
            names[c] = "column_" + std::to_string(c + 1);
    for (const ChosenColumn& one : chosen) {
        if (one.number < 1 || one.number > columns)
            throw EngineError("the column number of '" + one.name + "' must be between 1 and " +
                                  std::to_string(columns) + " for '" + file.name() + "' (got " +
                                  std::to_string(one.number) + ")",
                              "Count columns from 1, as in --text-columns x=2,y=3,z=4.");
        names[one.number - 1] = one.name;
    }
    return names;
}

/// Drops an empty last column, which exists if all rows, or only the header, end with a delimiter.
void dropTrailingDelimiters(TextTable& rows, Names& names) {
    const std::size_t width = modalColumnCount(rows);
    const bool allRowsTrail = width > 0 && std::all_of(rows.begin(), rows.end(), [&](const auto& row) {
                                  return row.size() != width || row.back().empty();
                              });
    const bool nameless = names.size() < width || names.back().empty();
    if (allRowsTrail && nameless) {
        for (auto& row : rows)
            if (row.size() == width)
                row.pop_back();
        if (names.size() == width)
            names.pop_back();
    } else if (names.size() == width + 1 && names.back().empty()) {
        names.pop_back();
    }
}

/// Returns whether each row begins with a row name that has no column in the header, as in files of R's
/// write.table. A row name is a quoted string, a word or a running number.
bool haveRowNames(std::span<const HeadLine> lines, const TextTable& rows, std::size_t columns) {
    std::set<double> seen;
    bool quotedOrWord = true, number = true, consecutive = true, othersWhole = true;
    double last = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].size() != columns)
            continue;
        TextNumber value;
        const bool numeric = isNumber(rows[i][0], value);
        quotedOrWord = quotedOrWord && (!numeric || lines[i].text.starts_with('"'));
        number = number && numeric && value.value >= 0 && value.value == std::trunc(value.value) &&
                 seen.insert(value.value).second;
        consecutive = consecutive && value.value == last + 1;
        last = value.value;
        for (std::size_t c = 1; c < columns; ++c)
            othersWhole = othersWhole && rows[i][c].find('.') == std::string::npos;
    }
    return quotedOrWord || (number && (consecutive || !othersWhole));
}

TextPreview previewOf(const std::string& header, char delimiter, const Names& names, const TextTable& rows) {
    constexpr std::size_t shown = 20;
    TextPreview preview;
    preview.layout = std::string(1, delimiter) + std::to_string(names.size()) + ' ' + header;
    preview.names = names;
    preview.rows.assign(rows.begin(), rows.begin() + std::ptrdiff_t(std::min(shown, rows.size())));
    return preview;
}

} // namespace

SniffedText sniffText(const InputFile& file, std::span<const ChosenColumn> chosen,
                      const std::stop_token& stop) {
    const TextHead head = readTextHead(file, kSampleRows + 2, stop);
    if (chosen.empty())
        refuseOtherTexts(file, head);
    const TextSections found = splitSections(head);
    SniffedText sniffed;
    sniffed.newline = head.newline;
    sniffed.claimedRows = found.claimedRows;
    const bool empty = found.rows.empty();
    if (!empty)
        static_cast<TextStyle&>(sniffed.layout) = sniffStyle(found.rows, found.header);
    sniffed.layout.headings = found.headings;
    sniffed.layout.hasCount = found.claimedRows.has_value();
    const char delimiter = sniffed.layout.delimiter;
    TextTable rows = splitRows(found.rows, sniffed.layout);
    Names names;
    if (!found.header.empty())
        names = namesIn(found.header, delimiter);
    if (!empty)
        dropTrailingDelimiters(rows, names);
    std::size_t columns = modalColumnCount(rows);
    if (names.empty())
        names = namesInComments(found.comments, delimiter, columns);
    sniffed.header = !names.empty();
    if (empty && !hasCoordinates(names))
        refuse(file, "has no rows of numbers");
    if (!empty && names.size() + 1 == columns && sniffed.header && haveRowNames(found.rows, rows, columns)) {
        names.insert(names.begin(), "row");
        sniffed.warnings.emplace_back("The rows have one more value than the header; the first value of each "
                                      "row was read as a row name.");
    }
    if (!chosen.empty())
        names = withChosenNames(file, std::move(names), chosen, empty ? names.size() : columns);
    else if (sniffed.header)
        columns = empty ? names.size() : std::min(columns, names.size());
    if (columns < 3 && areGeographic(names))
        throwGeographic(file);
    if (columns < 3 || columns > kMaxTextColumns)
        refuse(file, "has " + std::to_string(columns) + " columns, but points need 3 to " +
                         std::to_string(kMaxTextColumns));
    const auto samples = sampleColumns(rows, columns);
    const bool isGuessed = !sniffed.header && chosen.empty();
    if (isGuessed)
        names =
            guessColumnNames(samples, sniffed.claimedRows.has_value() || lowerEnding(file.path()) == ".pts");
    else
        names.resize(columns);
    if (isGuessed && arePnezd(samples))
        sniffed.warnings.emplace_back("The file has no header, so its columns were read as point, northing, "
                                      "easting, elevation and description. If the easting precedes the "
                                      "northing, read the file with --text-columns x=2,y=3,z=4.");
    const bool isUnsure = (isGuessed && (arePnezd(samples) || samples[0].allWords())) ||
                          (!hasCoordinates(names) && !areGeographic(names));
    if (chosen.empty() && isUnsure)
        sniffed.unsure = previewOf(found.header, delimiter, names, rows);
    sniffed.layout.fields = makeFields(names, samples, sniffed.warnings);
    sniffed.dataOffset = empty ? file.size() : found.rows.front().offset;
    return sniffed;
}

} // namespace scanloupe
