#pragma once
// Declares files in which users write a function for the device, in CUDA C++.
#include <cstdint>
#include <string>

namespace scanloupe {

/// The function that a file has.
enum class CudaFunction : std::uint8_t {
    colour, ///< float3 colour(Point): red, green and blue, 0 to 1
    value,  ///< float value(Point): the value of an attribute
    field,  ///< float field(Node): depth of a place below the surface, metres
};

struct CudaFile {
    std::string file; ///< its path
    std::string source;
    CudaFunction function = CudaFunction::colour;
    bool operator==(const CudaFile&) const = default;

    /// The name for messages: without folders, and without characters that a C++ line cannot quote.
    std::string name() const;
};

} // namespace scanloupe
