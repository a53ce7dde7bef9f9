// Compresses points with zlib.
#include "engine/survey/tiles/packed_points.h"

#include "engine/cloud/error.h"

#include <zlib.h>

namespace scanloupe {

namespace {

template <class Column>
std::size_t bytesOf(std::span<const Column> columns) {
    std::size_t bytes = 0;
    for (const Column& column : columns)
        bytes += column.bytes.size();
    return bytes;
}

[[noreturn]] void damaged() {
    throw EngineError("Points in a temporary file of the job are damaged.",
                      "Run the job again: finished tiles are reused.");
}

} // namespace

std::vector<char> packColumns(std::span<const PackedColumn> columns) {
    std::vector<std::byte> planes(bytesOf(columns));
    std::byte* to = planes.data();
    for (const PackedColumn& column : columns)
        for (std::size_t plane = 0; plane < column.width; ++plane)
            for (std::size_t i = plane; i < column.bytes.size(); i += column.width)
                *to++ = column.bytes[i];
    z_stream stream{};
    constexpr int level = 1, windowBits = 15, memory = 9;
    if (deflateInit2(&stream, level, Z_DEFLATED, windowBits, memory, Z_RLE) != Z_OK)
        throw EngineError("Out of memory: cannot start zlib to compress points.",
                          "Close other programs, or set a lower --tile-memory, and run the job again.");
    std::vector<char> packed(deflateBound(&stream, uLong(planes.size())));
    stream.next_in = reinterpret_cast<Bytef*>(planes.data());
    stream.avail_in = uInt(planes.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = uInt(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

void unpackColumns(std::span<const char> packed, std::span<const UnpackedColumn> columns) {
    std::vector<std::byte> planes(bytesOf(columns));
    uLongf size = uLongf(planes.size());
    if (uncompress(reinterpret_cast<Bytef*>(planes.data()), &size,
                   reinterpret_cast<const Bytef*>(packed.data()), uLong(packed.size())) != Z_OK ||
        size != planes.size())
        damaged();
    const std::byte* from = planes.data();
    for (const UnpackedColumn& column : columns)
        for (std::size_t plane = 0; plane < column.width; ++plane)
            for (std::size_t i = plane; i < column.bytes.size(); i += column.width)
                column.bytes[i] = *from++;
}

} // namespace scanloupe
