// Parses rows of text in chunks on all cores, and compacts the complete ones.
#include "engine/io/text_parse.h"

#include "engine/io/row_parser.h"
#include "kernels/core/parallel.h"

#include <algorithm>

namespace scanloupe {

namespace {

/// The slots that a chunk has stored its rows in, and the number of complete rows of each window.
struct Placed {
    std::size_t slot = 0, rows = 0;
    std::size_t firstWindow = 0;
    std::vector<std::size_t> rowsOfWindow; ///< from firstWindow on
    int decimals = 0;
};

/// Rows of all windows before window `w`.
std::uint64_t rowsBefore(std::span<const RowWindow> windows, std::size_t w) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < w; ++i)
        sum += windows[i].count;
    return sum;
}

/// Parses one chunk's share of the windows.
Placed parseChunk(const TextRows& rows, const TextChunk& chunk, bool decimalComma,
                  std::span<const RowWindow> windows, RowParser& parser) {
    Placed placed;
    std::size_t w = 0;
    while (w < windows.size() && windows[w].first + windows[w].count <= chunk.firstRow)
        ++w;
    if (w == windows.size() || windows[w].first >= chunk.firstRow + chunk.rows)
        return placed;
    auto text = rows.load(chunk);
    if (decimalComma)
        std::transform(text.begin(), text.end(), text.begin(), [](char c) { return c == ',' ? '.' : c; });
    placed.firstWindow = w;
    placed.rowsOfWindow.push_back(0);
    placed.slot = static_cast<std::size_t>(rowsBefore(windows, w) +
                                           (std::max(chunk.firstRow, windows[w].first) - windows[w].first));
    std::uint64_t row = chunk.firstRow;
    visitRows(text, rows.newline(), [&](const char* begin, const char* end) {
        while (w < windows.size() && row >= windows[w].first + windows[w].count) {
            ++w;
            placed.rowsOfWindow.push_back(0);
        }
        if (w == windows.size())
            return false;
        if (row++ < windows[w].first)
            return true;
        if (parser.parse(begin, end, windows[w].columns, placed.slot + placed.rows, placed.decimals)) {
            ++placed.rows;
            ++placed.rowsOfWindow.back();
        } else {
            parser.issues.dropped.fetch_add(1, std::memory_order_relaxed);
        }
        return true;
    });
    return placed;
}

/// Compacts the rows over the slots of incomplete ones; returns the end of each window's rows.
std::vector<std::size_t> closeGaps(std::span<const Placed> placed, std::size_t windows,
                                   CloudBuilder& builder) {
    std::vector<std::size_t> ends(windows, 0);
    std::size_t whole = 0;
    for (const Placed& part : placed) {
        builder.moveRows(whole, part.slot, part.rows);
        whole += part.rows;
        for (std::size_t w = 0; w < part.rowsOfWindow.size() && part.firstWindow + w < windows; ++w)
            ends[part.firstWindow + w] += part.rowsOfWindow[w];
    }
    for (std::size_t w = 1; w < windows; ++w)
        ends[w] += ends[w - 1];
    builder.shrink(whole);
    return ends;
}

void requireRoom(const InputFile& file, std::span<const TextChunk> chunks, std::span<const RowWindow> windows,
                 std::size_t columns) {
    std::uint64_t values = 0;
    for (const RowWindow& window : windows)
        values += window.count * std::max<std::size_t>(1, std::min(columns, window.columns));
    const std::uint64_t bytes = chunks.empty() ? 0 : chunks.back().end - chunks.front().begin;
    // every value takes at least a digit and a separator, except in a few short rows: this bounds the memory
    // that a wrong header can claim
    constexpr std::uint64_t slack = 65536;
    if (values > bytes + slack)
        throw EngineError("the rows of '" + file.name() + "' have too few values for its " +
                              std::to_string(columns) + " columns",
                          "The header does not fit the data: export the file once more.");
}

} // namespace

std::shared_ptr<PointCloud> parseRows(const InputFile& file, const TextRows& rows, TextLayout layout,
                                      std::span<const RowWindow> windows, const RowsParsed& parsed,
                                      ProgressMeter& meter, const std::stop_token& stop) {
    const std::uint64_t count = rowsBefore(windows, windows.size());
    const auto chunks = windows.empty()
                            ? std::span<const TextChunk>()
                            : rows.chunks(windows.front().first, windows.back().first + windows.back().count -
                                                                     windows.front().first);
    requireRoom(file, chunks, windows, layout.fields.size());
    for (;;) {
        const std::vector<Field> fields(layout.fields.begin(), layout.fields.end());
        CloudBuilder builder(file, fields, static_cast<std::size_t>(count));
        RowParser parser(layout, builder);
        std::vector<Placed> placed(chunks.size());
        parallelChunks(chunks.size(), 1, stop, [&](std::size_t c, std::size_t, std::size_t) {
            if (parser.anyOutgrown())
                return; // everything is parsed again with wider columns
            placed[c] = parseChunk(rows, chunks[c], layout.decimalComma, windows, parser);
            meter.add(4 * (chunks[c].end - chunks[c].begin));
        });
        if (parser.anyOutgrown()) {
            parser.widen(layout.fields);
            continue;
        }
        const auto ends = closeGaps(placed, windows.size(), builder);
        if (builder.rows() == 0 && count > 0)
            throwNothingWhole(file, count);
        int decimals = 0;
        for (const Placed& part : placed)
            decimals = std::max(decimals, part.decimals);
        if (parsed)
            decimals = parsed(builder, ends, decimals);
        auto cloud = builder.finish(decimals, stop);
        meter.finish();
        for (auto& sentence : parser.issues.sentences())
            cloud->warnings.push_back(std::move(sentence));
        return cloud;
    }
}

} // namespace scanloupe
