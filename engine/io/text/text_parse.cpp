// Parses rows of text in chunks on all cores, and removes the gaps of incomplete rows.
#include "engine/io/text/text_parse.h"

#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/text/row_parser.h"
#include "engine/io/text/text_tokens.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace scanloupe {

namespace {

/// Result of parsing a chunk: the builder's rows [slot, slot + rows) were filled with complete rows.
struct ParsedChunk {
    std::size_t slot = 0, rows = 0;
    std::size_t firstRange = 0;           ///< index of the first range with rows in the chunk
    std::vector<std::size_t> rowsOfRange; ///< number of complete rows of each range, from firstRange on
    int decimals = 0;
};

/// Returns the total number of rows in all ranges before range `r`.
std::uint64_t rowsBefore(std::span<const RowRange> ranges, std::size_t r) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < r; ++i)
        sum += ranges[i].count;
    return sum;
}

/// Parses the rows of a chunk that are in the ranges.
ParsedChunk parseChunk(const TextRows& rows, const TextChunk& chunk, const TextLayout& layout,
                       std::span<const RowRange> ranges, RowParser& parser) {
    ParsedChunk parsed;
    std::size_t r = 0;
    while (r < ranges.size() && ranges[r].first + ranges[r].count <= chunk.firstRow)
        ++r;
    if (r == ranges.size() || ranges[r].first >= chunk.firstRow + chunk.rows)
        return parsed;
    auto text = rows.load(chunk);
    if (layout.decimalComma)
        std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c == ',' ? '.' : c; });
    parsed.firstRange = r;
    parsed.rowsOfRange.push_back(0);
    parsed.slot = static_cast<std::size_t>(rowsBefore(ranges, r) +
                                           (std::max(chunk.firstRow, ranges[r].first) - ranges[r].first));
    std::uint64_t row = chunk.firstRow;
    visitRows(text, rows.newline(), [&](const char* begin, const char* end) {
        while (r < ranges.size() && row >= ranges[r].first + ranges[r].count) {
            ++r;
            parsed.rowsOfRange.push_back(0);
        }
        if (r == ranges.size())
            return false;
        if (row++ < ranges[r].first)
            return true;
        if (layout.hasComments)
            end = std::find(begin, end, '#');
        if (parser.parse(begin, end, ranges[r].columns, parsed.slot + parsed.rows, parsed.decimals)) {
            ++parsed.rows;
            ++parsed.rowsOfRange.back();
        } else if (row == rows.count() || !parser.isHeading(begin, end)) {
            parser.issues.dropped.fetch_add(1, std::memory_order_relaxed);
        }
        return true;
    });
    return parsed;
}

/// Moves the complete rows together, so that no gaps of incomplete rows are left. Returns the end of each
/// range's rows in the builder.
std::vector<std::size_t> compactRows(std::span<const ParsedChunk> parsed, std::size_t ranges,
                                     CloudBuilder& builder) {
    std::vector<std::size_t> ends(ranges, 0);
    std::size_t whole = 0;
    for (const ParsedChunk& part : parsed) {
        builder.moveRows(whole, part.slot, part.rows);
        whole += part.rows;
        for (std::size_t r = 0; r < part.rowsOfRange.size() && part.firstRange + r < ranges; ++r)
            ends[part.firstRange + r] += part.rowsOfRange[r];
    }
    for (std::size_t r = 1; r < ranges; ++r)
        ends[r] += ends[r - 1];
    builder.shrink(whole);
    return ends;
}

void requirePlausibleSize(const InputFile& file, std::span<const TextChunk> chunks,
                          std::span<const RowRange> ranges, std::size_t columns) {
    std::uint64_t values = 0;
    for (const RowRange& range : ranges)
        values += range.count * std::max<std::size_t>(1, std::min(columns, range.columns));
    const std::uint64_t bytes = chunks.empty() ? 0 : chunks.back().end - chunks.front().begin;
    // A value needs at least one byte of text. The check prevents a wrong header from allocating too much
    // memory.
    constexpr std::uint64_t slack = 65536; // for small files with short rows
    if (values > bytes + slack)
        throw EngineError("the rows of '" + file.name() + "' have too few values: the header specifies " +
                              std::to_string(columns) + " columns, " + std::to_string(values) +
                              " values in total, but the rows have only " + std::to_string(bytes) + " bytes",
                          "The header does not match the data. Export the file again.");
}

} // namespace

char delimiterOfDeclared(const InputFile& file, const TextRows& rows, const RowRange& range,
                         std::size_t columns) {
    constexpr std::uint64_t most =
        100; // number of rows to check; the numbers of the first rows may be integers without a separator
    TextRowCursor cursor(rows);
    for (std::uint64_t i = 0; i < std::min(range.count, most); ++i) {
        const std::string row = cursor.lineAt(range.first + i);
        const auto tokens = splitTokens(row, ' ');
        if (row.find(',') != std::string::npos && tokens.size() >= columns &&
            std::ranges::all_of(tokens, isCommaNumber))
            throw EngineError(
                fmt::format("the numbers in '{}' have decimal commas, as in '{}', but its format requires "
                            "decimal points",
                            file.name(),
                            fmt::join(std::span(tokens).first(std::min<std::size_t>(3, tokens.size())), " ")),
                "Export it again with decimal points.");
    }
    return sniffDelimiter(rows.lineAt(range.first));
}

std::shared_ptr<PointCloud> parseRows(const InputFile& file, const TextRows& rows, TextLayout layout,
                                      std::span<const RowRange> ranges, const ProcessRows& process,
                                      ProgressMeter& meter, const std::stop_token& stop) {
    const std::uint64_t count = rowsBefore(ranges, ranges.size());
    const auto chunks = ranges.empty()
                            ? std::span<const TextChunk>()
                            : rows.chunks(ranges.front().first,
                                          ranges.back().first + ranges.back().count - ranges.front().first);
    requirePlausibleSize(file, chunks, ranges, layout.fields.size());
    for (;;) {
        const std::vector<Field> fields(layout.fields.begin(), layout.fields.end());
        CloudBuilder builder(file, fields, static_cast<std::size_t>(count));
        RowParser parser(layout, builder);
        std::vector<ParsedChunk> parsed(chunks.size());
        parallelChunks(chunks.size(), 1, stop, [&](std::size_t c, std::size_t, std::size_t) {
            if (parser.needsWidening())
                return; // all rows will be parsed again with wider columns
            parsed[c] = parseChunk(rows, chunks[c], layout, ranges, parser);
            meter.add(4 * (chunks[c].end - chunks[c].begin));
        });
        if (parser.needsWidening()) {
            parser.widen(layout.fields);
            continue;
        }
        const auto ends = compactRows(parsed, ranges.size(), builder);
        if (builder.rows() == 0 && count > 0)
            throwNothingWhole(file, count);
        int decimals = 0;
        for (const ParsedChunk& part : parsed)
            decimals = std::max(decimals, part.decimals);
        if (process)
            decimals = process(builder, ends, decimals);
        auto cloud = builder.finish(decimals, stop);
        meter.finish();
        if (const std::uint64_t dropped = parser.issues.dropped; dropped > 0)
            addDamage(*cloud,
                      fmt::format(
                          "{} of {} rows were left out: they have too few values, or no numbers for x, y, z.",
                          dropped, count));
        for (auto& sentence : parser.issues.sentences())
            cloud->warnings.push_back(std::move(sentence));
        return cloud;
    }
}

} // namespace scanloupe
