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
    ScalarType type = ScalarType::float32;    ///< type of the value, or of the elements of a list
    bool list = false;                        ///< whether the property is a list
    ScalarType countType = ScalarType::uint8; ///< type of a list's length
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0; ///< number of instances in the header, not yet checked
    std::vector<PlyProperty> properties;

    bool hasLists() const; ///< whether a property is a list
    /// Returns the size of an instance in a binary file, in bytes, if all of its lists are empty.
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

    /// Returns whether the byte order of a binary file differs from the CPU's.
    bool swapped() const {
        return encoding != Encoding::ascii &&
               (encoding == Encoding::littleEndian) != (std::endian::native == std::endian::little);
    }
};

/// Reads the header. @throws EngineError if the header is invalid or incomplete
PlyHeader readPlyHeader(const InputFile& file);

} // namespace scanloupe
