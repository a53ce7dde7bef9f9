// Reads the faces of OFF files.
#include "engine/io/common/mesh_warning.h"
#include "engine/io/common/progress_meter.h"
#include "engine/io/common/text/text_number.h"
#include "engine/io/off/off_header.h"
#include "engine/io/off/read_off.h"
#include "engine/io/text/text_rows.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <vector>

namespace scanloupe {

namespace {

void readText(const InputFile& file, const OffHeader& header, FaceCollector& faces,
              const std::stop_token& stop) {
    // progress is not reported, since reading the vertices takes most of the time
    const ProgressFunction nobody;
    ProgressMeter meter(nobody, file.size());
    const TextRows rows(file, header.bodyOffset, header.newline, meter, stop);
    const std::uint64_t first = std::min(header.vertices, rows.count()),
                        count = std::min(header.faces, rows.count() - first);
    if (count < header.faces)
        faces.endsEarly();
    std::vector<std::int64_t> corners;
    for (const TextChunk& chunk : rows.chunks(first, count)) {
        if (stop.stop_requested())
            throw Cancelled();
        std::uint64_t row = chunk.firstRow;
        const std::vector<char> text = rows.load(chunk);
        visitRows(text, header.newline, [&](const char* p, const char* end) {
            if (row >= first && row < first + count) {
                corners.clear();
                double left = 0; // number of corners left to read; colours follow the corners
                for (bool isLength = true; isLength || left >= 1; isLength = false) {
                    while (p < end && isTextBlank(*p))
                        ++p;
                    const TextNumber number = p < end ? parseNumber(p, end, ' ') : TextNumber{};
                    const bool isNumber = number.end && number.value >= 0 && number.value < 4294967296.0;
                    if (isLength) {
                        left = isNumber ? number.value : 0;
                    } else {
                        corners.push_back(isNumber ? std::int64_t(number.value) : -1);
                        left = isNumber ? left - 1 : 0;
                    }
                    p = number.end ? number.end : end;
                }
                faces.addPolygon(corners);
            }
            ++row;
            return true;
        });
    }
}

/// Reads a big-endian number of four bytes; returns nullopt if the file ends within the number.
std::optional<std::int32_t> readNumber(BlockReader& reader) {
    const std::byte* bytes = reader.read(4);
    if (!bytes)
        return std::nullopt;
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i)
        value = value << 8 | std::uint32_t(bytes[i]);
    return std::bit_cast<std::int32_t>(value);
}

void readBinary(const InputFile& file, const OffHeader& header, FaceCollector& faces,
                const std::stop_token& stop) {
    const std::uint64_t numbers =
        3u + (header.normals ? 3u : 0u) + (header.colours ? 4u : 0u) + (header.texture ? 2u : 0u);
    const std::uint64_t vertexBytes = 4 * numbers;
    if (header.vertices > (file.size() - header.bodyOffset) / vertexBytes)
        return faces.endsEarly();
    BlockReader reader(file, header.bodyOffset + header.vertices * vertexBytes);
    std::vector<std::int64_t> corners;
    for (std::uint64_t face = 0; face < header.faces; ++face) {
        if (face % 16384 == 0 && stop.stop_requested())
            throw Cancelled();
        const std::optional<std::int32_t> length = readNumber(reader);
        if (!length || *length < 0)
            return faces.endsEarly();
        corners.clear();
        for (std::int32_t i = 0; i < *length; ++i) {
            const std::optional<std::int32_t> corner = readNumber(reader);
            if (!corner)
                return faces.endsEarly();
            corners.push_back(*corner);
        }
        const std::optional<std::int32_t> colours = readNumber(reader);
        if (!colours || *colours < 0 || !reader.skip(4 * std::uint64_t(*colours)))
            return faces.endsEarly();
        faces.addPolygon(corners);
    }
}

} // namespace

void readOffFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop) {
    const OffHeader header = readOffHeader(file);
    requireAllVertices(file, faces.vertices(), header.vertices);
    if (header.binary)
        readBinary(file, header, faces, stop);
    else
        readText(file, header, faces, stop);
}

} // namespace scanloupe
