#pragma once
// Damages parts of LAZ files that are read on demand.
#include "engine/io/common/little_endian.h"
#include "engine/io/las/laz/laz_chunks.h"
#include "engine/io/las/read_las.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <vector>

namespace scanloupe::test {

/// Makes a layer of a chunk unreadable; the coordinates, and the other layers, stay whole.
/// @param layer of point formats 6 to 10: 4 is the intensity @returns the points of that chunk
inline LazChunk damageLazLayer(const std::filesystem::path& path, std::size_t chunk, std::size_t layer) {
    const InputFile file(path);
    const LasHeader header = readLasHeader(file);
    const LaszipVlr vlr = readLaszipVlr(file, header);
    const LazChunk damaged = findLazChunks(file, header, vlr, {}).chunks.at(chunk);
    std::vector<std::byte> head(header.recordLength + 4 + 4 * vlr.layers);
    file.read(damaged.begin, head);
    std::uint64_t at = damaged.begin + head.size();
    for (std::size_t before = 0; before < layer; ++before)
        at += loadLittle<std::uint32_t>(head.data() + header.recordLength + 4 + 4 * before);
    std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
    out.seekp(std::streamoff(at));
    out.write("\xff\xff\xff\xff", 4); // no arithmetic coder writes this start of a stream
    return damaged;
}

} // namespace scanloupe::test
