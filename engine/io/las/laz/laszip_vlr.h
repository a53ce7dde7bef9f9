#pragma once
// Declares the LASzip VLR of LAZ files, which describes the compression of their points.
// https://downloads.rapidlasso.de/doc/LAZ_Specification_1.4_R1.pdf
#include "engine/io/las/las_header.h"

namespace scanloupe {

struct LaszipVlr {
    enum class Compressor : std::uint8_t {
        pointwise = 1, ///< one stream for all points
        chunked = 2,   ///< independent chunks of one stream each
        layered = 3,   ///< independent chunks of one stream per layer of fields (point formats 6 to 10)
    };
    Compressor compressor = Compressor::chunked;
    std::uint32_t chunkSize = 0;    ///< number of points per chunk; kVariable: stored in the chunk table
    std::size_t layers = 0;         ///< number of layers of a layered chunk
    std::vector<int> itemVersions;  ///< encoding version of each item (a group of fields)
    std::vector<std::byte> content; ///< payload of the VLR in the file

    static constexpr std::uint32_t kVariable = 0xffffffff;
};

/// Reads the LASzip VLR. @throws EngineError if it is missing, unknown, or does not match the header's point
/// format
LaszipVlr readLaszipVlr(const InputFile& file, const LasHeader& header);

} // namespace scanloupe
