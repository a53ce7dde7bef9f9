#pragma once
// The head of NumPy's own file format, .npy (numpy.lib.format).
#include <cstddef>
#include <string>
#include <string_view>

namespace scanloupe {

/// The magic bytes, version 2.0, which has room for long lists of names, and the dictionary that describes
/// `rows` records of these fields: "('ix', '<i4'), ('count', '<u4')".
std::string numpyHead(std::string_view fields, std::size_t rows);

/// A string of Python in ASCII, which is what that version may hold. UTF-8 comes out as the signs that it
/// stands for; what is no UTF-8 as a sign for each byte.
std::string pythonLiteral(std::string_view text);

} // namespace scanloupe
