#pragma once
// Declares the header of PLY files (Turk, "The PLY Polygon File Format", 1994).
#include "engine/io/common/input_file.h"
#include "engine/io/text/text_parse.h"

#include <bit>
#include <string>
#include <vector>

namespace scanloupe {

struct PlyProperty {
    std::string name;
    ScalarType type = ScalarType::float32; ///< type of a list's elements
    bool list = false;
    ScalarType countType = ScalarType::uint8; ///< type of a list's length
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0; ///< as claimed
    std::vector<PlyProperty> properties;

    bool hasLists() const;
    /// Returns the minimum size of an element in a binary file; lists count as empty.
    std::uint64_t minBytes() const;
};

struct PlyHeader {
    enum class Encoding { ascii, littleEndian, bigEndian };
    Encoding encoding = Encoding::ascii;
    std::string format; ///< e.g. "PLY ascii 1.0"
    char newline = '\n';
    std::uint64_t bodyOffset = 0;
    std::vector<PlyElement> elements;
    std::vector<std::string> comments;

    bool swapped() const {
        return encoding != Encoding::ascii &&
               (encoding == Encoding::littleEndian) != (std::endian::native == std::endian::little);
    }
};

/// Reads the header. @throws EngineError if it is not a PLY header, or has no end
PlyHeader readPlyHeader(const InputFile& file);

} // namespace scanloupe
