// Locates the layers of LAZ chunks by the sizes in the chunks' heads (LAZ specification 1.4 R1, section 9),
// and reads them.
#include "engine/io/las/laz/laz_layer_source.h"

#include "engine/cloud/source_metadata.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/las/laz/laszip_point.h"
#include "kernels/core/parallel.h"

#include <algorithm>

namespace scanloupe {

namespace {

// byte offsets in a point record of formats 6 to 10 (LAS 1.4 R15, table 16)
constexpr std::size_t kReturns = 14, kFlags = 15;
constexpr std::size_t kXyLayer = 0, kZLayer = 1, kColourLayer = 9;

std::size_t firstExtraLayer(const detail::LasFieldOffsets& offsets) {
    return kColourLayer + (offsets.colours > 0 ? 1 : 0) + (offsets.colours > 3 ? 1 : 0) +
           (offsets.wave > 0 ? 1 : 0);
}

} // namespace

LazLayerSource::LazLayerSource(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                               std::span<const LazChunk> chunks, bool hasColour,
                               std::span<const std::uint32_t> extraBytes, const std::stop_token& stop)
    : m_file(file), m_bytes(chunks.size() * extraBytes.size()) {
    const auto fields = detail::lasFieldOffsets(header.pointFormat, header.recordLength);
    const std::size_t headBytes = header.recordLength + 4 + 4 * vlr.layers;
    std::vector<std::vector<std::byte>> heads(
        chunks.size()); // [chunks] empty if the layers don't fit into the chunk
    parallelFor(chunks.size(), 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            const std::uint64_t room = chunks[c].end - chunks[c].begin;
            if (room < headBytes)
                continue;
            std::vector<std::byte> head(headBytes);
            file.read(chunks[c].begin, head);
            if (readLayeredChunkSize(head.data(), head.size(), header, vlr, room).points >= chunks[c].count)
                heads[c] = std::move(head);
        }
    });
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        laz::LayeredChunk& chunk = m_chunks.emplace_back();
        chunk.firstPoint = m_points;
        m_points += chunks[c].count;
        const std::span<const std::byte> head = heads[c];
        if (head.empty())
            continue;
        const auto addNumbered = [&](std::size_t layer) {
            const auto sizeOfLayer = [&](std::size_t number) {
                return loadLittle<std::uint32_t>(head.data() + header.recordLength + 4 + 4 * number);
            };
            std::uint64_t offset = chunks[c].begin + headBytes;
            for (std::size_t before = 0; before < layer; ++before)
                offset += sizeOfLayer(before);
            return addLayer(offset, sizeOfLayer(layer));
        };
        chunk.count = static_cast<std::uint32_t>(chunks[c].count);
        for (std::size_t axis = 0; axis < 3; ++axis)
            chunk.xyz[axis] = loadLittle<std::int32_t>(head.data() + 4 * axis);
        chunk.returns = std::to_integer<std::uint8_t>(head[kReturns]);
        chunk.channel = std::to_integer<std::uint8_t>(head[kFlags]) >> 4 & 3;
        chunk.xy = addNumbered(kXyLayer);
        chunk.z = addNumbered(kZLayer);
        if (hasColour) {
            for (std::size_t k = 0; k < 3; ++k)
                chunk.rgb[k] = loadLittle<std::uint16_t>(head.data() + fields.colour + 2 * k);
            chunk.colour = addNumbered(kColourLayer);
        }
        for (std::size_t b = 0; b < extraBytes.size(); ++b)
            m_bytes[c * extraBytes.size() + b] = {
                addNumbered(firstExtraLayer(fields) + extraBytes[b]),
                std::to_integer<std::uint8_t>(head[fields.extra + extraBytes[b]])};
    }
}

laz::LayerPlace LazLayerSource::addLayer(std::uint64_t offset, std::uint32_t bytes) {
    const laz::LayerPlace place{m_words, bytes};
    if (bytes > 0)
        m_sources.push_back({place.word, offset, bytes});
    m_words += place.wordCount();
    return place;
}

void LazLayerSource::read(std::uint64_t first, std::span<std::uint32_t> words) const {
    const std::uint64_t end = first + words.size();
    auto source = std::upper_bound(m_sources.begin(), m_sources.end(), first,
                                   [](std::uint64_t word, const Source& s) { return word < s.word; });
    source -= source == m_sources.begin() ? 0 : 1; // the source that may contain `first`
    for (; source != m_sources.end() && source->word < end; ++source) {
        const std::uint64_t from = std::max(first, source->word);
        const std::uint64_t to = std::min(end, source->word + (std::uint64_t{source->bytes} + 3) / 4);
        if (from >= to)
            continue;
        words[static_cast<std::size_t>(to - 1 - first)] = 0; // zeroes the padding of the layer's last word
        const std::uint64_t skipped = 4 * (from - source->word);
        const std::uint64_t bytes = std::min<std::uint64_t>(4 * (to - from), source->bytes - skipped);
        m_file.read(source->offset + skipped,
                    std::as_writable_bytes(words.subspan(static_cast<std::size_t>(from - first)))
                        .first(static_cast<std::size_t>(bytes)));
    }
}

} // namespace scanloupe
