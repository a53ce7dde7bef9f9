// Chunks are packed on all cores, each by a LASzip of its own, and written one behind the other.
#include "engine/io/las_plan.h"
#include "engine/io/laz_chunks.h"
#include "engine/io/laz_point.h"
#include "engine/io/little_endian.h"
#include "engine/io/write_pieces.h"
#include "kernels/core/parallel.h"

#include <ostream>
#include <sstream>
#include <streambuf>

// in LASzip's library since 3.0, but in its header for LASzip itself only
extern laszip_I32 laszip_create_laszip_vlr(laszip_POINTER pointer, laszip_U8** record, laszip_U32* size);
extern laszip_I32 laszip_open_writer_stream(laszip_POINTER pointer, std::ostream& stream,
                                            laszip_BOOL compress, laszip_BOOL leaveOutHeader);

namespace scanloupe::detail {

namespace {

constexpr std::size_t kChunk = 50000; // points, as LASzip itself has it

[[noreturn]] void throwPacking() {
    throw EngineError("the points can't be packed by LASzip", "Write the cloud as .las instead.");
}
void check(laszip_I32 failed) {
    if (failed)
        throwPacking();
}

/// LASzip, set up for the points of a plan.
class Packer {
public:
    explicit Packer(const LasPlan& plan) {
        check(laszip_create(&m_handle));
        laszip_header* header = nullptr;
        const bool good = laszip_get_header_pointer(m_handle, &header) == 0 && setVersion(*header, plan) &&
                          laszip_set_point_type_and_size(m_handle, static_cast<laszip_U8>(plan.pointFormat),
                                                         static_cast<laszip_U16>(plan.recordLength)) == 0 &&
                          laszip_request_native_extension(m_handle, 1) == 0 &&
                          laszip_set_chunk_size(m_handle, kChunk) == 0;
        if (!good) {
            laszip_destroy(m_handle);
            throwPacking();
        }
    }
    ~Packer() {
        laszip_close_writer(m_handle); // destroying alone leaves what it packs with behind
        laszip_destroy(m_handle);
    }
    Packer(const Packer&) = delete;
    Packer& operator=(const Packer&) = delete;
    laszip_POINTER get() const { return m_handle; }

private:
    /// By which it chooses how it packs.
    static bool setVersion(laszip_header& header, const LasPlan& plan) {
        header.version_major = 1;
        header.version_minor = static_cast<laszip_U8>(plan.minor);
        return true;
    }
    laszip_POINTER m_handle = nullptr;
};

/// The content of LASzip's record for the points of a plan.
std::vector<std::byte> recordOf(const LasPlan& plan) {
    const Packer packer(plan);
    laszip_U8* record = nullptr;
    laszip_U32 size = 0;
    check(laszip_create_laszip_vlr(packer.get(), &record, &size));
    constexpr std::size_t head = 54;
    if (size < head)
        throwPacking();
    const auto* bytes = reinterpret_cast<const std::byte*>(record);
    return {bytes + head, bytes + size};
}

/// The points [begin, end) as one chunk.
std::string packChunk(const CloudJob& job, const LasPlan& plan, std::size_t begin, std::size_t end) {
    const LazPlaces places = lazPlaces(plan.pointFormat, plan.recordLength);
    std::ostringstream packed;
    const Packer packer(plan);
    laszip_point* point = nullptr;
    check(laszip_open_writer_stream(packer.get(), packed, 1, 1));
    check(laszip_get_point_pointer(packer.get(), &point));
    std::vector<std::byte> record(plan.recordLength);
    for (std::size_t row = begin; row < end; ++row) {
        if (row % 1024 == 0 && job.stop.stop_requested())
            throw Cancelled();
        std::fill(record.begin(), record.end(), std::byte{});
        fillLasRecord(job.cloud, plan, row, record.data());
        pointOf(record.data(), places, *point);
        check(laszip_write_point(packer.get()));
    }
    check(laszip_close_writer(packer.get()));
    // LASzip has put the place of its table of chunks before the chunk, and the table behind it
    std::string bytes = std::move(packed).str();
    const auto table =
        bytes.size() < 16 ? 0 : loadLittle<std::uint64_t>(reinterpret_cast<const std::byte*>(bytes.data()));
    if (table < 8 || table > bytes.size())
        throwPacking();
    return bytes.substr(8, static_cast<std::size_t>(table) - 8);
}

/// Where the table of chunks is.
void putPlace(std::ostream& stream, std::int64_t place) {
    std::byte bytes[8];
    storeLittle(bytes, place);
    stream.write(reinterpret_cast<const char*>(bytes), sizeof bytes);
}

/// Writes all points in chunks, and gives the table of them. @throws Cancelled; what the stream throws
std::vector<LazEntry> packChunks(std::ostream& stream, const CloudJob& job, const LasPlan& plan) {
    std::vector<LazEntry> table(chunkCount(plan.points, kChunk));
    ProgressMeter meter(job.options.progress, plan.points);
    writePieces(stream, plan.points, kChunk, meter, job.stop,
                [&](std::string& out, std::size_t begin, std::size_t end) {
                    out = packChunk(job, plan, begin, end);
                    table[begin / kChunk] = {static_cast<std::uint32_t>(end - begin),
                                             static_cast<std::uint32_t>(out.size())};
                });
    return table;
}

/// A stream that forgets what it gets.
class NowhereBuffer : public std::streambuf {
protected:
    int_type overflow(int_type c) override { return traits_type::not_eof(c); }
    std::streamsize xsputn(const char*, std::streamsize count) override { return count; }
};

std::uint64_t bytesOf(const std::vector<LazEntry>& table) {
    std::uint64_t sum = 0;
    for (const LazEntry& entry : table)
        sum += entry.bytes;
    return sum;
}

/// Into a pipe. Where the table of chunks is, may be said behind it, but where the records behind it are, the
/// header says before there is a point: with such records the points are packed twice.
void writeForward(std::ostream& stream, const CloudJob& job, const LasPlan& plan, std::string head) {
    const auto placeOf = [&](const std::vector<LazEntry>& table) { return head.size() + 8 + bytesOf(table); };
    std::int64_t place = -1;
    if (plan.hasExtended()) {
        NowhereBuffer buffer;
        std::ostream nowhere(&buffer);
        const auto table = packChunks(nowhere, job, plan);
        place = static_cast<std::int64_t>(placeOf(table));
        placeExtended(head, plan, placeOf(table) + packLazTable(table).size());
    }
    stream << head;
    putPlace(stream, place);
    const auto table = packChunks(stream, job, plan);
    stream << packLazTable(table);
    if (place < 0)
        putPlace(stream, static_cast<std::int64_t>(placeOf(table)));
    writeExtended(stream, plan, job.stop);
}

} // namespace

void writeLazCloud(std::ostream& stream, const CloudJob& job) {
    const LasPlan plan = planLas(job.cloud, job.stop);
    std::string head = lasHead(job.cloud, plan, recordOf(plan), job.stop);
    const std::streamoff begin = stream.tellp(); // -1 in a pipe
    if (begin < 0) {
        writeForward(stream, job, plan, std::move(head));
        return;
    }
    stream << head;
    putPlace(stream, -1);
    const auto table = packChunks(stream, job, plan);
    const std::uint64_t place = head.size() + 8 + bytesOf(table);
    const std::string packedTable = packLazTable(table);
    stream << packedTable;
    writeExtended(stream, plan, job.stop);
    placeExtended(head, plan, place + packedTable.size());
    stream.seekp(begin);
    stream << head;
    putPlace(stream, static_cast<std::int64_t>(place));
    stream.seekp(0, std::ios::end);
}

} // namespace scanloupe::detail
