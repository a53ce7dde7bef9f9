#pragma once
// Declares the header of OFF files (Geomview's manual, "OFF Files"): keyword and counts.
#include "engine/io/common/input_file.h"

#include <string>
#include <string_view>

namespace scanloupe {

struct OffHeader {
    bool normals = false, colours = false, texture = false; ///< whether the keyword declares normals,
                                                            ///< colours, texture coordinates
    bool binary = false;                                    ///< whether the body has big-endian numbers of
                                                            ///< four bytes
    std::uint64_t vertices = 0, faces = 0;                  ///< as claimed
    char newline = '\n';
    std::uint64_t bodyOffset = 0; ///< offset of the first vertex
};

/// True when a file begins with an OFF keyword: "OFF", "COFF", "STCNOFF", ...
bool beginsOff(std::string_view head);

/// @throws EngineError when the file is no OFF file, or its points are not three-dimensional
OffHeader readOffHeader(const InputFile& file);

} // namespace scanloupe
