#include "engine/io/laz_chunks.h"

#include "engine/cloud/error.h"
#include "engine/io/little_endian.h"
#include "kernels/core/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// The chunk table's place: it is written before the first chunk, or as the last 8 bytes when the writer
/// could not go back. 0 when there is none.
std::uint64_t tablePlace(const InputFile& file, const LasHeader& header) {
    const std::uint64_t first = header.pointOffset + 8;
    const auto load = [&](std::uint64_t at) {
        std::byte bytes[8];
        file.read(at, std::span<std::byte>(bytes));
        return loadLittle<std::uint64_t>(bytes);
    };
    std::uint64_t place = load(header.pointOffset);
    if (place == ~std::uint64_t{0})
        place = load(file.size() - 8);
    return place >= first && place < file.size() && file.size() - place >= 8 ? place : 0;
}

/// The chunks by the file's own table; none when it does not fit the file.
std::vector<LazChunk> tabledChunks(const InputFile& file, const LasHeader& header, const LazInfo& info) {
    const std::uint64_t place = tablePlace(file, header), first = header.pointOffset + 8;
    if (place == 0)
        return {};
    std::byte head[8];
    file.read(place, std::span<std::byte>(head));
    const std::size_t entries = loadLittle<std::uint32_t>(head + 4);
    // a chunk has at least its first point as it is
    if (loadLittle<std::uint32_t>(head) != 0 || entries > (place - first) / header.recordLength)
        return {};
    // an entry takes less than 16 bytes
    const std::uint64_t room = std::min<std::uint64_t>(file.size() - place - 8, 16 * entries + 64);
    std::vector<std::byte> packed(static_cast<std::size_t>(room));
    file.read(place + 8, packed);
    const bool variable = info.chunkSize == LazInfo::kVariable;
    std::vector<LazChunk> chunks;
    std::uint64_t at = first, point = 0;
    for (const LazEntry& entry : unpackLazTable(packed, entries, variable)) {
        const std::uint64_t count =
            std::min<std::uint64_t>(variable ? entry.points : info.chunkSize, header.points - point);
        if (entry.bytes > place - at)
            return {};
        if (count > 0)
            chunks.push_back({point, count, at, at + entry.bytes});
        point += count;
        at += entry.bytes;
    }
    return chunks;
}

/// Layered chunks, found by the sizes at their beginnings.
std::vector<LazChunk> walkLayered(const InputFile& file, const LasHeader& header, const LazInfo& info,
                                  const std::stop_token& stop) {
    std::vector<std::byte> head(header.recordLength + 4 + 4 * info.layers);
    std::vector<LazChunk> chunks;
    std::uint64_t at = header.pointOffset + 8, point = 0;
    while (point < header.points && at < file.size() && file.size() - at >= head.size()) {
        if (stop.stop_requested())
            throw Cancelled();
        file.read(at, head);
        const LayeredSize size = layeredSize(head.data(), head.size(), header, info, file.size() - at);
        if (size.points == 0 || size.points > header.points - point || size.points > info.chunkSize)
            break;
        chunks.push_back({point, size.points, at, at + size.bytes});
        point += size.points;
        at += size.bytes;
    }
    return chunks;
}

} // namespace

LayeredSize layeredSize(const std::byte* head, std::size_t headBytes, const LasHeader& header,
                        const LazInfo& info, std::uint64_t room) {
    LayeredSize size;
    size.bytes = header.recordLength + 4 + 4 * info.layers;
    if (size.bytes > headBytes)
        return {};
    for (std::size_t layer = 0; layer < info.layers; ++layer)
        size.bytes += loadLittle<std::uint32_t>(head + header.recordLength + 4 + 4 * layer);
    if (size.bytes > room)
        return {};
    size.points = loadLittle<std::uint32_t>(head + header.recordLength);
    return size;
}

LazChunks findLazChunks(const InputFile& file, const LasHeader& header, const LazInfo& info,
                        const std::stop_token& stop) {
    LazChunks found;
    const std::uint64_t size = file.size();
    if (header.points == 0 || header.pointOffset >= size || size - header.pointOffset < 8)
        return found;
    if (info.packing == LazInfo::Packing::pointwise) {
        found.chunks.push_back({0, header.points, header.pointOffset, size});
        return found;
    }
    found.chunks = tabledChunks(file, header, info);
    found.fromTable = !found.chunks.empty();
    if (found.fromTable)
        return found;
    found.warning = "The table of its chunks is missing or damaged, as in a file that is cut off.";
    if (info.packing == LazInfo::Packing::layered)
        found.chunks = walkLayered(file, header, info, stop);
    else if (info.chunkSize == LazInfo::kVariable)
        throw EngineError(fmt::format("the table of chunks of '{}' is missing or damaged, and without it its "
                                      "points can't be unpacked",
                                      file.name()),
                          "The file is cut off or damaged: copy or export it once more.");
    else
        found.chunks.push_back({0, header.points, header.pointOffset + 8, size});
    return found;
}

} // namespace scanloupe
