// Reads the points of LAZ files; chunks are decompressed on all cores.
#include "engine/cloud/damage.h"
#include "engine/cloud/error.h"
#include "engine/io/common/read_options.h"
#include "engine/io/las/las_point_reader.h"
#include "engine/io/las/laz/copc_octree.h"
#include "engine/io/las/laz/laz_decoder.h"
#include "engine/io/las/laz/laz_records.h"
#include "engine/io/las/laz/laz_slices.h"
#include "engine/io/las/laz/laz_subsample.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <numeric>

namespace scanloupe {

namespace {

constexpr std::uint64_t kTrustedBytes = std::uint64_t{64}
                                        << 20; // bytes that may be allocated for an unverified point count
constexpr std::uint64_t kTrustedFactor = 4;    // multiple of the file size that may be allocated in addition
constexpr std::uint64_t kMaxFactor = 64;       // maximum compression ratio of real scans
constexpr std::uint64_t kMaxChunk = std::uint64_t{16} << 20; // maximum size of a credible chunk, bytes
// Minimum number of chunks per host thread for which the device is used. The device needs the same time for
// one chunk as for hundreds, so it is only faster for many chunks. With 25 chunks for each of 16 host
// threads, an H200 needed 0.34 s and LASzip 0.77 s (2026-11-25).
constexpr std::size_t kDeviceChunksAThread = 12;

std::uint64_t pointsIn(std::span<const LazChunk> chunks) {
    std::uint64_t sum = 0;
    for (const LazChunk& chunk : chunks)
        sum += chunk.count;
    return sum;
}

/// Reads attributes of layered chunks on demand. Each read() decompresses only the layers of the
/// requested attributes.
class LazAttributes final : public AttributeSource {
public:
    LazAttributes(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                  std::vector<LazChunk> chunks, const LasLayout& layout, const CloudBuilder& builder)
        : m_file(file.held()), m_header(header), m_vlr(vlr), m_chunks(std::move(chunks)), m_layout(layout),
          m_columns(builder.columns()), m_names(builder.attributeNames()), m_rows(builder.rows()) {
        std::uint64_t first = 0;
        for (LazChunk& chunk : m_chunks) { // `first` becomes a row of the cloud, which contains only the
                                           // complete points of damaged chunks
            chunk.first = first;
            first += chunk.count;
        }
    }

    std::vector<std::string> read(std::span<const std::size_t> attributes,
                                  std::span<std::byte* const> targets,
                                  const std::stop_token& stop) const override {
        m_file->requireUnchanged();
        const std::vector<ColumnTarget> columns = m_columns.targets(attributes, targets, m_rows);
        const LazLayers layers = lazLayers(m_layout, m_header.pointFormat, columns, false);
        std::atomic<std::size_t> damaged = 0;
        std::atomic<std::uint64_t> missing = 0;
        parallelChunks(m_chunks.size(), 1, stop, [&](std::size_t c, std::size_t, std::size_t) {
            const LazChunk& chunk = m_chunks[c];
            const std::uint64_t whole = decompressLazChunk(
                *m_file, m_header, m_vlr, chunk, layers,
                [&](const std::byte* records, std::size_t first, std::size_t count) {
                    copyLasRecords(m_layout, records, count, columns,
                                   static_cast<std::size_t>(chunk.first) + first);
                },
                stop);
            if (whole == chunk.count)
                return;
            ++damaged;
            missing += chunk.count - whole;
            clearRows(columns, static_cast<std::size_t>(chunk.first + whole),
                      static_cast<std::size_t>(chunk.count - whole));
        });
        m_file->requireUnchanged();
        if (damaged == 0)
            return {};
        std::string names;
        for (const std::size_t a : attributes)
            names += (names.empty() ? "" : ", ") + m_names[a];
        return {damageWarning(fmt::format("{} of {} chunks of the attributes {} are damaged or truncated; "
                                          "the values of {} points were set to 0.",
                                          damaged.load(), m_chunks.size(), names, missing.load()))};
    }

private:
    std::shared_ptr<const InputFile> m_file;
    LasHeader m_header;
    LaszipVlr m_vlr;
    std::vector<LazChunk> m_chunks;
    LasLayout m_layout;
    AttributeColumns m_columns;
    std::vector<std::string> m_names;
    std::size_t m_rows;
};

class LazPointReader final : public LasPointReader {
public:
    LazPointReader(const InputFile& file, const LasHeader& header, const ReadOptions& options,
                   const std::stop_token& stop)
        : m_file(file), m_header(header), m_vlr(readLaszipVlr(file, header)),
          m_found(findLazChunks(file, header, m_vlr, stop)), m_deviceStream(options.deviceStream) {
        m_total = pointsIn(m_found.chunks);
        if (options.subsample > 0) {
            m_found.chunks = subsampleLazChunks(file, header, m_vlr, m_found, options.subsample, stop);
        } else {
            if (!m_found.warning.empty())
                warnings.push_back(m_found.warning);
            if (options.slice) {
                const LasSlice slice = lasSlice(file, header, *options.slice, stop);
                m_found.chunks =
                    lazSlices(file, header, options.slice->most, stop)[options.slice->index].chunks;
                m_expected = slice.points + slice.missing;
                if (isCopc(header, m_vlr))
                    limitToHeld(m_found.chunks, file, header, m_vlr, stop);
                isPart = true;
            } else if (options.octree) {
                keepNodes(*options.octree, stop);
            }
        }
        if (m_expected == 0)
            m_expected = pointsIn(m_found.chunks);
        if (!isCredible()) {
            ProgressMeter meter({}, 0);
            decompress(allChunks(), LazLayers::all, {}, meter, stop);
        }
    }
    std::uint64_t count() const override { return pointsIn(m_found.chunks); }
    std::uint64_t total() const override { return m_total; }
    std::uint64_t expected() const override { return m_expected; }

    std::size_t fill(const LasLayout& layout, CloudBuilder& builder, const ProgressFunction& progress,
                     const std::stop_token& stop) override {
        std::vector<std::uint64_t> slots;
        std::uint64_t slot = 0;
        for (const LazChunk& chunk : m_found.chunks) {
            slots.push_back(slot);
            slot += chunk.count;
        }
        std::vector<std::size_t> left;
        {
            ProgressMeter meter(progress, count());
            left = decodeOnDevice(layout, builder, meter, stop);
        }
        std::uint64_t leftPoints = 0;
        for (const std::size_t c : left)
            leftPoints += m_found.chunks[c].count;
        ProgressMeter meter(progress, leftPoints);
        decompress(
            left, lazLayers(layout, m_header.pointFormat, builder.targets(), builder.opaque() != nullptr),
            [&](std::size_t c, const std::byte* records, std::size_t first, std::size_t count) {
                copyLasRecords(layout, records, count, builder, static_cast<std::size_t>(slots[c]) + first);
            },
            meter, stop);
        meter.finish();
        std::size_t whole = 0;
        for (std::size_t c = 0; c < slots.size(); ++c) {
            const auto rows = static_cast<std::size_t>(m_found.chunks[c].count);
            builder.moveRows(whole, static_cast<std::size_t>(slots[c]), rows);
            whole += rows;
        }
        return whole;
    }
    bool readsFieldsAlone() const override { return m_vlr.compressor == LaszipVlr::Compressor::layered; }
    std::shared_ptr<const AttributeSource> attributes(const LasLayout& layout,
                                                      const CloudBuilder& builder) const override {
        return std::make_shared<const LazAttributes>(m_file, m_header, m_vlr, m_found.chunks, layout,
                                                     builder);
    }

private:
    using ChunkSink = std::function<void(std::size_t chunk, const std::byte* records, std::size_t first,
                                         std::size_t count)>;

    /// Keeps only the chunks of the requested nodes. Keeps all chunks if the octree is missing or damaged.
    void keepNodes(const OctreeReading& wanted, const std::stop_token& stop) {
        if (!isCopc(m_header, m_vlr)) {
            warnings.push_back("The file has no octree (it is not COPC), so the whole file was read.");
            return;
        }
        const CopcOctree octree = readCopcOctree(m_file, m_header, CopcPages::all, stop);
        if (octree.points() != m_total && wanted.view)
            throw EngineError(fmt::format("the octree of '{}' is damaged: it has {} of {} points",
                                          m_file.name(), octree.points(), m_total),
                              "Write the file as COPC again.");
        if (octree.points() != m_total) {
            warnings.push_back(
                fmt::format("The octree is damaged: it has {} of {} points. The whole file was read.",
                            octree.points(), m_total));
            return;
        }
        ViewChunks ofView;
        if (wanted.view)
            ofView = chooseNodes(octree, *wanted.view);
        std::vector<LazChunk> chunks = wanted.view ? std::move(ofView.chunks) : chooseNodes(octree, wanted);
        if (chunks.empty())
            throw EngineError(fmt::format("no node of the octree of '{}' overlaps the range", m_file.name()),
                              fmt::format("Choose a range that overlaps the scan, which extends from "
                                          "{:.2f},{:.2f},{:.2f} to {:.2f},{:.2f},{:.2f}.",
                                          m_header.min.x, m_header.min.y, m_header.min.z, m_header.max.x,
                                          m_header.max.y, m_header.max.z));
        m_expected = pointsIn(chunks);
        limitToHeld(chunks, m_file, m_header, m_vlr, stop);
        isPart = chunks.size() < octree.nodes.size();
        isPartOfView = wanted.view && !ofView.isWhole;
        viewSpacing = ofView.spacing;
        if (isPart && !wanted.view)
            warnings.push_back(fmt::format("For the requested range and resolution, {} of {} octree nodes "
                                           "with {} of {} points were read.",
                                           chunks.size(), octree.nodes.size(), pointsIn(chunks), m_total));
        m_found.chunks = std::move(chunks);
    }

    /// Returns whether memory for all points may be allocated before their number is verified by
    /// decompression.
    bool isCredible() const {
        const std::uint64_t size = m_file.size(), record = m_header.recordLength;
        if (count() <= (kTrustedFactor * size + kTrustedBytes) / record)
            return true;
        return m_found.fromTable && count() <= kMaxFactor * size / record &&
               std::all_of(m_found.chunks.begin(), m_found.chunks.end(),
                           [&](const LazChunk& chunk) { return chunk.count <= kMaxChunk / record; });
    }

    std::vector<std::size_t> allChunks() const {
        std::vector<std::size_t> all(m_found.chunks.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        return all;
    }

    /// Decodes the chunks on the device, if it is available, supports their layers, and there are enough
    /// chunks for it to be faster than the host. Returns the indices of the chunks that LASzip must
    /// decompress: damaged ones, whose complete points LASzip finds, or all if the device is not used.
    std::vector<std::size_t> decodeOnDevice(const LasLayout& layout, CloudBuilder& builder,
                                            ProgressMeter& meter, const std::stop_token& stop) const {
        const std::size_t threads = static_cast<std::size_t>(parallelThreads());
        if (!m_deviceStream || m_vlr.compressor != LaszipVlr::Compressor::layered ||
            m_found.chunks.size() < kDeviceChunksAThread * threads)
            return allChunks();
        const auto plan = planLazRecords(layout, m_header.pointFormat, m_vlr, builder.targets(),
                                         builder.opaque() != nullptr);
        if (!plan)
            return allChunks();
        std::vector<std::uint8_t> damaged;
        try {
            const std::shared_ptr<const Stream> stream = m_deviceStream();
            if (!stream)
                return allChunks();
            damaged =
                decodeLazRecords(m_file, m_header, m_vlr, m_found.chunks, *plan,
                                 [&](const std::byte* records, std::size_t firstRow, std::size_t count) {
                                     copyLasRecords(plan->layout, records, count, builder, firstRow);
                                     meter.add(count);
                                 },
                                 {stream->view(), stop});
        } catch (const KernelError&) {
            return allChunks(); // the device is out of memory or failed; LASzip runs on the host
        }
        std::vector<std::size_t> left;
        for (std::size_t c = 0; c < damaged.size(); ++c)
            if (damaged[c])
                left.push_back(c);
        return left;
    }

    /// Decompresses the chunks with indices `which` by LASzip, and sets their counts to the numbers of
    /// decompressed points.
    void decompress(std::span<const std::size_t> which, LazLayers layers, const ChunkSink& sink,
                    ProgressMeter& meter, const std::stop_token& stop) {
        auto& chunks = m_found.chunks;
        std::vector<std::uint64_t> whole(which.size());
        parallelChunks(which.size(), 1, stop, [&](std::size_t i, std::size_t, std::size_t) {
            whole[i] = decompressLazChunk(
                m_file, m_header, m_vlr, chunks[which[i]], layers,
                [&](const std::byte* records, std::size_t first, std::size_t count) {
                    if (sink)
                        sink(which[i], records, first, count);
                    meter.add(count);
                },
                stop);
        });
        std::size_t damaged = 0;
        for (std::size_t i = 0; i < which.size(); ++i) {
            LazChunk& chunk = chunks[which[i]];
            damaged += whole[i] < chunk.count ? 1 : 0;
            chunk.count = whole[i];
        }
        if (damaged > 0)
            warnings.push_back(
                fmt::format("{} of {} chunks are damaged or truncated and were decompressed only in part.",
                            damaged, chunks.size()));
    }

    const InputFile& m_file;
    const LasHeader& m_header;
    LaszipVlr m_vlr;
    LazChunks m_found;
    std::uint64_t m_total = 0;    ///< number of points in the file
    std::uint64_t m_expected = 0; ///< number of points that the requested chunks should have
    DeviceStream m_deviceStream;
};

} // namespace

std::unique_ptr<LasPointReader> makeLazPointReader(const InputFile& file, const LasHeader& header,
                                                   const ReadOptions& options, const std::stop_token& stop) {
    return std::make_unique<LazPointReader>(file, header, options, stop);
}

} // namespace scanloupe
