#pragma once
// Declares the header of NumPy's file format, .npy (numpy.lib.format).
#include <cstddef>
#include <string>
#include <string_view>

namespace scanloupe {

/// Builds the header of `rows` records with these fields, as in "('ix', '<i4'), ('count', '<u4')": the magic
/// bytes, version 2.0, whose 32-bit length has room for long lists of names, and the dictionary.
std::string npyHeader(std::string_view fields, std::size_t rows);

/// A Python string literal in ASCII, all that a header of version 2.0 may hold. UTF-8 is escaped by code
/// points, other text byte by byte.
std::string pythonLiteral(std::string_view text);

} // namespace scanloupe
