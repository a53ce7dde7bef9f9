#pragma once
// What the record of LASzip in a LAZ file says: how its points are packed.
// https://downloads.rapidlasso.de/doc/LAZ_Specification_1.4_R1.pdf
#include "engine/io/las_header.h"

namespace scanloupe {

struct LaszipVlr {
    enum class Compressor : std::uint8_t {
        pointwise = 1, ///< one stream from the first point to the last
        chunked = 2,   ///< chunks that begin anew, each one stream
        layered = 3,   ///< chunks of layers, one a kind of value (point formats 6 and up)
    };
    Compressor compressor = Compressor::chunked;
    std::uint32_t chunkSize = 0;    ///< points a chunk; kVariable: the chunk table says it
    std::size_t layers = 0;         ///< of a layered chunk
    std::vector<std::byte> content; ///< as in the file

    static constexpr std::uint32_t kVariable = 0xffffffff;
};

/// @throws EngineError when the record is missing, unknown, or does not fit the points of the header
LaszipVlr readLaszipVlr(const InputFile& file, const LasHeader& header);

} // namespace scanloupe
