// Copies the layers of LAZ chunks to the memory where they are decoded, and copies the decoded records back
// to the host.
#include "engine/io/las/laz/laz_records.h"

#include "engine/io/las/laz/laszip_point.h"
#include "engine/io/las/laz/laz_layer_source.h"
#include "kernels/core/transfer.h"
#include "kernels/laz/operators.h"

#include <algorithm>

namespace scanloupe {

namespace {

std::size_t storedSize(const LasColumn& column) {
    return column.kind == LasColumn::Kind::bits     ? 1
           : column.kind == LasColumn::Kind::scaled ? sizeOf(column.stored)
                                                    : sizeOf(column.type);
}

} // namespace

std::optional<LazRecordPlan> planLazRecords(const LasLayout& layout, int pointFormat, const LaszipVlr& vlr,
                                            std::span<const ColumnTarget> targets, bool opaque) {
    constexpr int known =
        3; // the version that LASzip writes; for version 4, no files were available for tests
    if (!std::ranges::all_of(vlr.itemVersions, [](int version) { return version == known; }))
        return std::nullopt;
    const auto offsets = detail::lasFieldOffsets(pointFormat, layout.recordLength);
    constexpr std::uint32_t unwanted = ~std::uint32_t{0};
    // index of each extra byte among the requested ones
    std::vector<std::uint32_t> place(offsets.extraBytes, unwanted);
    LazRecordPlan plan;
    const auto addExtra = [&](std::size_t byteOffset, std::size_t size) {
        if (byteOffset < offsets.extra)
            return false;
        for (std::size_t b = 0; b < size; ++b)
            place[byteOffset - offsets.extra + b] = 0;
        return true;
    };
    for (std::size_t f = 0; f < layout.columns.size(); ++f) {
        const LasColumn& column = layout.columns[f];
        if (!targets[f].data || column.byteOffset + storedSize(column) <= 12)
            continue; // positions are always decoded
        const bool isColour = offsets.colour > 0 && column.byteOffset >= offsets.colour &&
                              column.byteOffset < offsets.colour + 6;
        plan.shape.hasColour = plan.shape.hasColour || isColour;
        if (!isColour && !addExtra(column.byteOffset, storedSize(column)))
            return std::nullopt;
    }
    for (const LasByteRange& range : layout.opaque)
        if (opaque && !addExtra(range.byteOffset, range.size))
            return std::nullopt;
    for (std::size_t b = 0; b < place.size(); ++b)
        if (place[b] != unwanted) {
            place[b] = static_cast<std::uint32_t>(plan.extraBytes.size());
            plan.extraBytes.push_back(static_cast<std::uint32_t>(b));
        }
    plan.shape.extraBytes = static_cast<std::uint32_t>(plan.extraBytes.size());
    plan.layout = layout;
    plan.layout.recordLength = plan.shape.size();
    const auto moved = [&](std::size_t byteOffset) -> std::size_t {
        if (byteOffset >= offsets.extra)
            return plan.shape.extraOffset() + place[byteOffset - offsets.extra];
        return byteOffset < 12 ? byteOffset : byteOffset - offsets.colour + laz::RecordShape::kColour;
    };
    for (std::size_t f = 0; f < layout.columns.size(); ++f)
        if (targets[f].data)
            plan.layout.columns[f].byteOffset = moved(layout.columns[f].byteOffset);
    for (LasByteRange& range : plan.layout.opaque)
        if (opaque)
            range.byteOffset = moved(range.byteOffset);
    return plan;
}

std::vector<std::uint8_t> decodeLazRecords(const InputFile& file, const LasHeader& header,
                                           const LaszipVlr& vlr, std::span<const LazChunk> chunks,
                                           const LazRecordPlan& plan, const LazRecordSink& sink,
                                           const Execution& on) {
    std::vector<std::uint8_t> damaged;
    std::uint64_t points = 0, bytes = 0;
    for (const LazChunk& chunk : chunks) {
        points = std::max(points, chunk.count);
        bytes = std::max(bytes, chunk.end - chunk.begin);
    }
    const std::size_t atOnce = lazChunksAtOnce(plan.shape, points, bytes, on);
    std::uint64_t row = 0;
    for (std::size_t first = 0; first < chunks.size(); first += atOnce) {
        const auto some = chunks.subspan(first, std::min(atOnce, chunks.size() - first));
        const LazLayerSource layers(file, header, vlr, some, plan.shape.hasColour, plan.extraBytes, on.stop);
        const auto words = filledBuffer<std::uint32_t>(
            layers.words(), on,
            [&](std::size_t begin, std::span<std::uint32_t> piece) { layers.read(begin, piece); });
        const laz::DecodedChunks decoded =
            decodeLazChunks({layers.chunks(), layers.bytes(), words.data(), plan.shape}, on);
        useOnHost(decoded.records, plan.shape.size(), on,
                  [&](std::size_t begin, std::span<const std::byte> records) {
                      sink(records.data(), static_cast<std::size_t>(row) + begin / plan.shape.size(),
                           records.size() / plan.shape.size());
                  });
        for (std::size_t c = 0; c < some.size(); ++c)
            damaged.push_back(layers.chunks()[c].count < some[c].count ? 1 : decoded.damaged[c]);
        row += layers.points();
    }
    return damaged;
}

} // namespace scanloupe
