// Reads the points of LAZ files; chunks are decompressed on all cores.
#include "engine/io/las/las_point_reader.h"
#include "engine/io/las/laz/laz_decoder.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

constexpr std::uint64_t kTrustedBytes = std::uint64_t{64} << 20; // bytes allocated on an unverified header
constexpr std::uint64_t kTrustedFactor = 4;                      // plus so many times the file's size
constexpr std::uint64_t kMaxFactor = 64;                         // largest compression ratio of real scans
constexpr std::uint64_t kMaxChunk = std::uint64_t{16} << 20;

class LazPointReader final : public LasPointReader {
public:
    LazPointReader(const InputFile& file, const LasHeader& header, const std::stop_token& stop)
        : m_file(file), m_header(header), m_vlr(readLaszipVlr(file, header)),
          m_found(findLazChunks(file, header, m_vlr, stop)) {
        if (!m_found.warning.empty())
            warnings.push_back(m_found.warning);
        if (!isCredible())
            decompressAll({}, {}, stop);
    }
    std::uint64_t count() const override {
        std::uint64_t sum = 0;
        for (const LazChunk& chunk : m_found.chunks)
            sum += chunk.count;
        return sum;
    }

    std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                     const std::stop_token& stop) override {
        std::vector<std::uint64_t> slots;
        std::uint64_t slot = 0;
        for (const LazChunk& chunk : m_found.chunks) {
            slots.push_back(slot);
            slot += chunk.count;
        }
        decompressAll(
            [&](std::size_t c, const std::byte* records, std::size_t first, std::size_t count) {
                copyLasRecords(layout, records, count, builder, static_cast<std::size_t>(slots[c]) + first);
            },
            progress, stop);
        std::size_t whole = 0;
        for (std::size_t c = 0; c < slots.size(); ++c) {
            const auto rows = static_cast<std::size_t>(m_found.chunks[c].count);
            builder.moveRows(whole, static_cast<std::size_t>(slots[c]), rows);
            whole += rows;
        }
        return whole;
    }

private:
    using ChunkSink = std::function<void(std::size_t chunk, const std::byte* records, std::size_t first,
                                         std::size_t count)>;

    /// True when memory for the claimed points may be allocated before their number is verified by
    /// decompression.
    bool isCredible() const {
        const std::uint64_t size = m_file.size(), record = m_header.recordLength;
        if (count() <= (kTrustedFactor * size + kTrustedBytes) / record)
            return true;
        return m_found.fromTable && count() <= kMaxFactor * size / record &&
               std::all_of(m_found.chunks.begin(), m_found.chunks.end(),
                           [&](const LazChunk& chunk) { return chunk.count <= kMaxChunk / record; });
    }

    /// Decompresses all chunks, and sets their counts to the numbers of points that could be decompressed.
    void decompressAll(const ChunkSink& sink, const ProgressFunction& progress, const std::stop_token& stop) {
        ProgressMeter meter(progress, count());
        auto& chunks = m_found.chunks;
        std::vector<std::uint64_t> whole(chunks.size());
        parallelChunks(chunks.size(), 1, stop, [&](std::size_t c, std::size_t, std::size_t) {
            whole[c] = decompressLazChunk(
                m_file, m_header, m_vlr, chunks[c],
                [&](const std::byte* records, std::size_t first, std::size_t count) {
                    if (sink)
                        sink(c, records, first, count);
                    meter.add(count);
                },
                stop);
        });
        std::size_t damaged = 0;
        for (std::size_t c = 0; c < chunks.size(); ++c) {
            damaged += whole[c] < chunks[c].count ? 1 : 0;
            chunks[c].count = whole[c];
        }
        if (damaged > 0)
            warnings.push_back(
                fmt::format("{} of {} chunks can't be unpacked to their ends: they are damaged or "
                            "cut off.",
                            damaged, chunks.size()));
        meter.finish();
    }

    const InputFile& m_file;
    const LasHeader& m_header;
    LaszipVlr m_vlr;
    LazChunks m_found;
};

} // namespace

std::unique_ptr<LasPointReader> makeLazPointReader(const InputFile& file, const LasHeader& header,
                                                   const std::stop_token& stop) {
    return std::make_unique<LazPointReader>(file, header, stop);
}

} // namespace scanloupe
