#pragma once
// The header of an OFF file: its keyword and its counts.
#include "engine/io/input_file.h"

#include <string>
#include <string_view>

namespace scanloupe {

struct OffHeader {
    bool normals = false, colours = false, texture = false; ///< what the keyword's letters promise
    bool binary = false;                                    ///< numbers of four bytes, big endian
    std::uint64_t vertices = 0, faces = 0;                  ///< as claimed
    char newline = '\n';
    std::uint64_t bodyOffset = 0; ///< of the first vertex
};

/// True when a file begins with a keyword of OFF: "OFF", "COFF", "STCNOFF", ...
bool beginsOff(std::string_view head);

/// @throws EngineError when it is none, or points have another number of dimensions than three
OffHeader readOffHeader(const InputFile& file);

} // namespace scanloupe
