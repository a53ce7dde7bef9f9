// Decompresses single LAZ chunks with LASzip, through a synthetic file with one chunk. Prevents damaged data
// from crashing LASzip.
#include "engine/io/las/laz/laz_decoder.h"

#include "engine/cloud/error.h"
#include "engine/io/common/little_endian.h"
#include "engine/io/las/laz/laszip_point.h"
#include "engine/io/las/read_las.h"

#include <algorithm>
#include <cstdlib>
#include <istream>
#include <streambuf>

// LASzip exports this function since version 3.0, but declares it only in builds of LASzip itself.
extern laszip_I32 laszip_open_reader_stream(laszip_POINTER pointer, std::istream& stream,
                                            laszip_BOOL* compressed);

namespace scanloupe {

namespace {

constexpr std::size_t kPiece = 2048; // points per piece, one or two milliseconds of decompression

// Maximum stack that LASzip may use, bytes. For point formats below 6, its function for GPS times calls
// itself when the times continue in another of four sequences. On damaged data the recursion does not end:
// each call uses 48 bytes of stack, with about 30,000 calls per byte of the file. Undamaged files need a few
// hundred bytes.
constexpr std::ptrdiff_t kMaxStack = 64 << 10;

/// Stream buffer of a synthetic header followed by a part of a file. It ends with that part, or when LASzip
/// has used too much stack, which makes LASzip fail at the current point.
class ChunkStreamBuffer : public std::streambuf {
public:
    ChunkStreamBuffer(const InputFile& file, std::vector<char> head, std::uint64_t begin, std::uint64_t end)
        : m_file(file), m_block(std::move(head)), m_next(begin), m_end(end) {
        setg(m_block.data(), m_block.data(), m_block.data());
    }
    /// Starts measuring the stack from `frame`. The buffer then returns single bytes, so that underflow()
    /// checks the stack at each byte.
    void limitStack(const void* frame) { m_stack = static_cast<const char*>(frame); }

protected:
    int_type underflow() override {
        if (m_stack && std::abs(static_cast<const char*>(__builtin_frame_address(0)) - m_stack) > kMaxStack)
            return traits_type::eof();
        if (gptr() == m_block.data() + m_block.size() && !readBlock())
            return traits_type::eof();
        setg(eback(), gptr(), m_stack ? gptr() + 1 : m_block.data() + m_block.size());
        return traits_type::to_int_type(*gptr());
    }
    /// Supports tellg() only.
    pos_type seekoff(off_type offset, std::ios_base::seekdir direction, std::ios_base::openmode) override {
        if (offset != 0 || direction != std::ios_base::cur)
            return pos_type(off_type(-1));
        return pos_type(m_before + static_cast<std::streamoff>(gptr() - eback()));
    }
    /// Supports forward seeks: LASzip skips unwanted layers.
    pos_type seekpos(pos_type position, std::ios_base::openmode) override {
        const auto blockSize = static_cast<std::streamoff>(m_block.size());
        const std::streamoff step = std::streamoff(position) - m_before;
        if (step < 0 || m_stack ||
            (step > blockSize && static_cast<std::uint64_t>(step - blockSize) > m_end - m_next))
            return pos_type(off_type(-1));
        if (step <= blockSize) {
            setg(m_block.data(), m_block.data() + step, m_block.data() + blockSize);
            return position;
        }
        m_next += static_cast<std::uint64_t>(step - blockSize);
        m_before = position;
        m_block.clear();
        setg(m_block.data(), m_block.data(), m_block.data());
        return position;
    }

private:
    bool readBlock() {
        if (m_next >= m_end)
            return false;
        constexpr std::uint64_t most = std::uint64_t{1} << 20;
        const auto size = static_cast<std::size_t>(std::min(most, m_end - m_next));
        m_before += static_cast<std::streamoff>(m_block.size());
        m_block.resize(size);
        m_file.read(m_next, std::span<char>(m_block));
        m_next += size;
        setg(m_block.data(), m_block.data(), m_block.data());
        return true;
    }

    const InputFile& m_file;
    std::vector<char> m_block;
    std::uint64_t m_next, m_end;
    std::streamoff m_before = 0; ///< number of bytes before the block
    const char* m_stack = nullptr;
};

/// Returns the beginning of a LAZ file that consists of this chunk only, without a chunk table.
std::vector<char> makeSyntheticHeader(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                      const LazChunk& chunk) {
    const std::size_t headerSize = header.minor < 3 ? 227 : header.minor == 3 ? 235 : 375;
    const std::size_t recordHead = 54, points = headerSize + recordHead + vlr.content.size();
    std::vector<std::byte> head(points + 8);
    file.read(0, std::span(head).first(227));
    storeLittle(head.data() + 94, static_cast<std::uint16_t>(headerSize));
    storeLittle(head.data() + 96, static_cast<std::uint32_t>(points));
    storeLittle(head.data() + 100, std::uint32_t{1});
    storeLittle(head.data() + 107,
                static_cast<std::uint32_t>(std::min<std::uint64_t>(chunk.count, 0xffffffff)));
    if (header.minor == 4)
        storeLittle(head.data() + 247, chunk.count);
    std::byte* record = head.data() + headerSize;
    std::memcpy(record + 2, "laszip encoded", 14);
    storeLittle(record + 18, std::uint16_t{22204});
    storeLittle(record + 20, static_cast<std::uint16_t>(vlr.content.size()));
    std::memcpy(record + recordHead, vlr.content.data(), vlr.content.size());
    if (vlr.chunkSize == LaszipVlr::kVariable) // makes the part a single chunk of unlimited size
        storeLittle(record + recordHead + 12, LaszipVlr::kVariable - 1);
    if (vlr.compressor == LaszipVlr::Compressor::pointwise)
        head.resize(points);
    else // value that an interrupted writer leaves if it has not written the table
        storeLittle(head.data() + points, static_cast<std::uint64_t>(points));
    const auto* bytes = reinterpret_cast<const char*>(head.data());
    return {bytes, bytes + head.size()};
}

/// Whether the stream at `offset` begins with a value that an arithmetic encoder can write. With other
/// values, LASzip would read beyond its models and crash.
bool isValidStreamStart(const InputFile& file, std::uint64_t offset, std::uint64_t end) {
    std::byte first[4];
    if (offset >= end || end - offset < sizeof first)
        return true; // the stream is truncated, which LASzip detects
    file.read(offset, std::span<std::byte>(first));
    return loadLittle<std::uint32_t>(first) != 0xffffffff;
}

/// Whether the layers of a chunk are inside the chunk and have valid stream starts.
bool areValidLayers(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                    const LazChunk& chunk, LazLayers layers) {
    std::vector<std::byte> head(header.recordLength + 4 + 4 * vlr.layers);
    if (chunk.end - chunk.begin < head.size())
        return false;
    file.read(chunk.begin, head);
    // LASzip allocates memory according to these sizes.
    if (readLayeredChunkSize(head.data(), head.size(), header, vlr, chunk.end - chunk.begin).points == 0)
        return false;
    std::uint64_t offset = chunk.begin + head.size();
    for (std::size_t layer = 0; layer < vlr.layers; ++layer) {
        const auto size = loadLittle<std::uint32_t>(head.data() + header.recordLength + 4 + 4 * layer);
        if (isWanted(layer, header.pointFormat, layers) && !isValidStreamStart(file, offset, offset + size))
            return false;
        offset += size;
    }
    return true;
}

/// Owns a LASzip reader handle.
class LaszipReader {
public:
    LaszipReader() {
        if (laszip_create(&m_handle) != 0)
            throw EngineError("LASzip can't be started", "Free some memory and open the file again.");
    }
    ~LaszipReader() {
        laszip_close_reader(m_handle); // laszip_destroy alone leaks the decompressor
        laszip_destroy(m_handle);
    }
    LaszipReader(const LaszipReader&) = delete;
    LaszipReader& operator=(const LaszipReader&) = delete;
    laszip_POINTER get() const { return m_handle; }

private:
    laszip_POINTER m_handle = nullptr;
};

} // namespace

bool haveLaszip() {
    return true;
}

std::uint64_t decompressLazChunk(const InputFile& file, const LasHeader& header, const LaszipVlr& vlr,
                                 const LazChunk& chunk, LazLayers layers, const LasRecordSink& sink,
                                 const std::stop_token& stop) {
    const bool layered = vlr.compressor == LaszipVlr::Compressor::layered;
    if (layered && !areValidLayers(file, header, vlr, chunk, layers))
        return 0;
    std::vector<char> head = makeSyntheticHeader(file, header, vlr, chunk);
    const std::uint64_t headBytes = head.size();
    ChunkStreamBuffer part(file, std::move(head), chunk.begin, chunk.end);
    if (!layered)
        part.limitStack(__builtin_frame_address(0));
    std::istream stream(&part);
    LaszipReader laszip;
    laszip_BOOL compressed = 0;
    laszip_point* point = nullptr;
    if (laszip_decompress_selective(laszip.get(), static_cast<laszip_U32>(layers)) != 0 ||
        laszip_open_reader_stream(laszip.get(), stream, &compressed) != 0 || !compressed ||
        laszip_get_point_pointer(laszip.get(), &point) != 0)
        return 0;
    const auto offsets = detail::lasFieldOffsets(header.pointFormat, header.recordLength);
    std::vector<std::byte> records(std::min<std::uint64_t>(kPiece, chunk.count) * header.recordLength);
    // Without a chunk table, the part may have several chunks, each with an uncompressed point followed by a
    // stream.
    const std::uint64_t pointsAStream =
        vlr.compressor == LaszipVlr::Compressor::chunked && vlr.chunkSize != LaszipVlr::kVariable
            ? vlr.chunkSize
            : chunk.count;
    const auto isValidNext = [&](std::uint64_t next) {
        if (layered || next % pointsAStream != 0)
            return true;
        const std::uint64_t passed = std::max(headBytes, static_cast<std::uint64_t>(stream.tellg()));
        return isValidStreamStart(file, chunk.begin + passed - headBytes + header.recordLength, chunk.end);
    };
    std::uint64_t done = 0;
    bool good = true;
    while (good && done < chunk.count) {
        if (stop.stop_requested())
            throw Cancelled();
        const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, chunk.count - done));
        std::size_t got = 0;
        while (got < wanted && (good = isValidNext(done + got) && laszip_read_point(laszip.get()) == 0))
            detail::toLasRecord(*point, offsets, records.data() + header.recordLength * got++);
        if (sink && got > 0)
            sink(records.data(), static_cast<std::size_t>(done), got);
        done += got;
    }
    return done;
}

} // namespace scanloupe
