#pragma once
// Declares the header of NumPy's file format, .npy (numpy.lib.format).
#include "kernels/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scanloupe {

/// Builds the header of an array in C order: the magic bytes, version 2.0, whose 32-bit length has room for
/// long lists of names, and the dictionary.
/// @param type as in Python, "'<f4'", or of records "[('ix', '<i4'), ('count', '<u4')]"
/// @param shape empty for a single value
std::string npyHeader(std::string_view type, std::span<const std::size_t> shape);

/// Returns NumPy's name of a type, e.g. "<f4", "|u1".
std::string numpyType(ScalarType type);

/// The type of an array's elements.
struct NpyType {
    NpyType(ScalarType type) : name(numpyType(type)), bytes(sizeOf(type)) {}
    /// Type float16, which attributes can't have.
    static NpyType half() { return {"<f2", sizeof(std::uint16_t)}; }

    std::string name; ///< name as in Python
    std::size_t bytes;

private:
    NpyType(const char* named, std::size_t size) : name(named), bytes(size) {}
};

/// A Python string literal in ASCII, all that a header of version 2.0 may hold. UTF-8 is escaped by code
/// points, other text byte by byte.
std::string pythonLiteral(std::string_view text);

} // namespace scanloupe
