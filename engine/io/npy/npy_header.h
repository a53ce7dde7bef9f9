#pragma once
// Declares the header of NumPy's file format, .npy (numpy.lib.format).
#include "kernels/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scanloupe {

/// Builds the header of an array in C order: magic bytes, version, length and dictionary. The version is 2.0,
/// since its 32-bit length permits long lists of names.
/// @param type Python expression such as "'<f4'", or "[('ix', '<i4'), ('count', '<u4')]" for records
/// @param shape extents of the array; empty: a single value
std::string npyHeader(std::string_view type, std::span<const std::size_t> shape);

/// Returns NumPy's name of a type, e.g. "<f4", "|u1".
std::string numpyType(ScalarType type);

/// The type of an array's elements.
struct NpyType {
    NpyType(ScalarType type) : name(numpyType(type)), bytes(sizeOf(type)) {}
    /// Returns the type float16, which ScalarType does not include.
    static NpyType half() { return {"<f2", sizeof(std::uint16_t)}; }

    std::string name;  ///< NumPy's name, such as "<f4"
    std::size_t bytes; ///< size of an element

private:
    NpyType(const char* named, std::size_t size) : name(named), bytes(size) {}
};

/// Returns a Python string literal in ASCII, since a header of version 2.0 can't contain other characters.
/// UTF-8 is escaped by code points, other text by bytes.
std::string pythonLiteral(std::string_view text);

} // namespace scanloupe
