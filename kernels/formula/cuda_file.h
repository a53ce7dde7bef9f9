#pragma once
// Declares files in which users write a function for the device, in CUDA C++.
#include <cstdint>
#include <string>

namespace scanloupe {

/// The kind of function that a CUDA file defines.
enum class CudaFunction : std::uint8_t {
    colour, ///< float3 colour(Point): returns red, green and blue, 0 to 1
    value,  ///< float value(Point): returns the value of an attribute
    field,  ///< float field(Node): returns the depth of a position below the surface, metres
};

struct CudaFile {
    std::string file; ///< path of the file
    std::string source;
    CudaFunction function = CudaFunction::colour;
    bool operator==(const CudaFile&) const = default;

    /// Returns the name for messages: without folders, and without characters that a C++ string cannot quote.
    std::string name() const;
};

} // namespace scanloupe
