#pragma once
// Declares the header of OFF files (Geomview's manual, "OFF Files"), which consists of a keyword and counts.
#include "engine/io/common/input_file.h"

#include <string>
#include <string_view>

namespace scanloupe {

struct OffHeader {
    bool normals = false, colours = false, texture = false; ///< whether the keyword declares normals,
                                                            ///< colours, texture coordinates
    bool binary = false;                   ///< whether the body is binary: big-endian numbers of four bytes
    std::uint64_t vertices = 0, faces = 0; ///< counts in the header, not yet checked
    char newline = '\n';
    std::uint64_t bodyOffset = 0; ///< offset of the first vertex
};

/// Returns whether a file begins with an OFF keyword: "OFF", "COFF", "STCNOFF", ...
bool beginsOff(std::string_view head);

/// Reads the header. @throws EngineError if the file is not an OFF file, or if its points are not
/// three-dimensional
OffHeader readOffHeader(const InputFile& file);

} // namespace scanloupe
