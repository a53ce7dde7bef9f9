// Writes clouds as LAZ. Chunks are compressed on all cores, each by a separate LASzip instance, and written
// in order.
#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/common/write/write_pieces.h"
#include "engine/io/las/laz/laszip_point.h"
#include "engine/io/las/laz/laz_chunks.h"
#include "engine/io/las/write/las_plan.h"
#include "engine/io/las/write/write_las.h"
#include "kernels/core/parallel.h"

#include <ostream>
#include <sstream>
#include <streambuf>

// LASzip exports these functions since version 3.0, but declares them only in builds of LASzip itself.
extern laszip_I32 laszip_create_laszip_vlr(laszip_POINTER pointer, laszip_U8** record, laszip_U32* size);
extern laszip_I32 laszip_open_writer_stream(laszip_POINTER pointer, std::ostream& stream,
                                            laszip_BOOL compress, laszip_BOOL leaveOutHeader);

namespace scanloupe::detail {

namespace {

constexpr std::size_t kChunk = 50000; // points per chunk, the default of LASzip

[[noreturn]] void throwLaszipFailure() {
    throw EngineError("LASzip failed to compress the points", "Write the cloud as .las instead.");
}
void check(laszip_I32 failed) {
    if (failed)
        throwLaszipFailure();
}

/// A LASzip instance, configured for the points of a plan.
class LaszipWriter {
public:
    explicit LaszipWriter(const LasPlan& plan) {
        check(laszip_create(&m_handle));
        laszip_header* header = nullptr;
        const bool good = laszip_get_header_pointer(m_handle, &header) == 0 && setVersion(*header, plan) &&
                          laszip_set_point_type_and_size(m_handle, static_cast<laszip_U8>(plan.pointFormat),
                                                         static_cast<laszip_U16>(plan.recordLength)) == 0 &&
                          laszip_request_native_extension(m_handle, 1) == 0 &&
                          laszip_set_chunk_size(m_handle, kChunk) == 0;
        if (!good) {
            laszip_destroy(m_handle);
            throwLaszipFailure();
        }
    }
    ~LaszipWriter() {
        laszip_close_writer(m_handle); // laszip_destroy alone leaks the compressor
        laszip_destroy(m_handle);
    }
    LaszipWriter(const LaszipWriter&) = delete;
    LaszipWriter& operator=(const LaszipWriter&) = delete;
    laszip_POINTER get() const { return m_handle; }

private:
    /// Sets the LAS version, which determines LASzip's compressor. Always returns true.
    static bool setVersion(laszip_header& header, const LasPlan& plan) {
        header.version_major = 1;
        header.version_minor = static_cast<laszip_U8>(plan.minor);
        return true;
    }
    laszip_POINTER m_handle = nullptr;
};

/// Returns the content of the LASzip VLR for the points of a plan.
std::vector<std::byte> makeLaszipVlr(const LasPlan& plan) {
    const LaszipWriter writer(plan);
    laszip_U8* record = nullptr;
    laszip_U32 size = 0;
    check(laszip_create_laszip_vlr(writer.get(), &record, &size));
    constexpr std::size_t head = 54;
    if (size < head)
        throwLaszipFailure();
    const auto* bytes = reinterpret_cast<const std::byte*>(record);
    return {bytes + head, bytes + size};
}

/// Compresses the points [begin, end) as a chunk, and returns its bytes.
std::string compressChunk(const CloudJob& job, const LasPlan& plan, std::size_t begin, std::size_t end) {
    const LasFieldOffsets offsets = lasFieldOffsets(plan.pointFormat, plan.recordLength);
    std::ostringstream compressed;
    const LaszipWriter writer(plan);
    laszip_point* point = nullptr;
    check(laszip_open_writer_stream(writer.get(), compressed, 1, 1));
    check(laszip_get_point_pointer(writer.get(), &point));
    std::vector<std::byte> record(plan.recordLength);
    for (std::size_t row = begin; row < end; ++row) {
        if (row % 1024 == 0 && job.stop.stop_requested())
            throw Cancelled();
        std::fill(record.begin(), record.end(), std::byte{});
        fillLasRecord(job.cloud, plan, row, record.data());
        toLaszipPoint(record.data(), offsets, *point);
        check(laszip_write_point(writer.get()));
    }
    check(laszip_close_writer(writer.get()));
    // LASzip writes the offset of its chunk table before the chunk, and the table after the chunk
    std::string bytes = std::move(compressed).str();
    const auto table =
        bytes.size() < 16 ? 0 : loadLittle<std::uint64_t>(reinterpret_cast<const std::byte*>(bytes.data()));
    if (table < 8 || table > bytes.size())
        throwLaszipFailure();
    return bytes.substr(8, static_cast<std::size_t>(table) - 8);
}

/// Writes the offset of the chunk table.
void writeTableOffset(std::ostream& stream, std::int64_t offset) {
    std::byte bytes[8];
    storeLittle(bytes, offset);
    stream.write(reinterpret_cast<const char*>(bytes), sizeof bytes);
}

/// Writes all points in chunks, and returns the chunk table. @throws Cancelled; exceptions of the stream
std::vector<LazChunkEntry> compressChunks(std::ostream& stream, const CloudJob& job, const LasPlan& plan) {
    std::vector<LazChunkEntry> table(chunkCount(plan.points, kChunk));
    ProgressMeter meter(job.options.progress, plan.points);
    writePieces(stream, plan.points, kChunk, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    out = compressChunk(job, plan, begin, end);
                    table[begin / kChunk] = {static_cast<std::uint32_t>(end - begin),
                                             static_cast<std::uint32_t>(out.size())};
                });
    return table;
}

/// Stream buffer that discards all output.
class NullBuffer : public std::streambuf {
protected:
    int_type overflow(int_type c) override { return traits_type::not_eof(c); }
    std::streamsize xsputn(const char*, std::streamsize count) override { return count; }
};

std::uint64_t bytesOf(const std::vector<LazChunkEntry>& table) {
    std::uint64_t sum = 0;
    for (const LazChunkEntry& entry : table)
        sum += entry.bytes;
    return sum;
}

/// Writes a file to a pipe. The offset of the chunk table may follow the table. The offsets of EVLRs,
/// however, are in the header and depend on the size of the compressed points, so points are compressed twice
/// if there are EVLRs.
void writeUnseekable(std::ostream& stream, const CloudJob& job, const LasPlan& plan, std::string head) {
    const auto tableOffset = [&](const std::vector<LazChunkEntry>& table) {
        return head.size() + 8 + bytesOf(table);
    };
    std::int64_t offset = -1;
    if (plan.hasEvlrs()) {
        NullBuffer buffer;
        std::ostream null(&buffer);
        const auto table = compressChunks(null, job, plan);
        offset = static_cast<std::int64_t>(tableOffset(table));
        setEvlrOffsets(head, plan, tableOffset(table) + encodeLazChunkTable(table).size());
    }
    stream << head;
    writeTableOffset(stream, offset);
    const auto table = compressChunks(stream, job, plan);
    stream << encodeLazChunkTable(table);
    if (offset < 0)
        writeTableOffset(stream, static_cast<std::int64_t>(tableOffset(table)));
    writeEvlrs(stream, plan, job.stop);
}

} // namespace

void writeLazCloud(std::ostream& stream, const CloudJob& job) {
    const LasPlan plan = planLas(job.cloud, job.stop);
    std::string head = serializeLasHeader(job.cloud, plan, makeLaszipVlr(plan), job.stop);
    const std::streamoff begin = stream.tellp(); // -1 in a pipe
    if (begin < 0) {
        writeUnseekable(stream, job, plan, std::move(head));
        return;
    }
    stream << head;
    writeTableOffset(stream, -1);
    const auto table = compressChunks(stream, job, plan);
    const std::uint64_t offset = head.size() + 8 + bytesOf(table);
    const std::string encodedTable = encodeLazChunkTable(table);
    stream << encodedTable;
    writeEvlrs(stream, plan, job.stop);
    setEvlrOffsets(head, plan, offset + encodedTable.size());
    stream.seekp(begin);
    stream << head;
    writeTableOffset(stream, static_cast<std::int64_t>(offset));
    stream.seekp(0, std::ios::end);
}

} // namespace scanloupe::detail
