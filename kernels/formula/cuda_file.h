#pragma once
// Declares files in which people write a function for the device, in CUDA C++.
#include <cstdint>
#include <string>

namespace scanloupe {

/// The function that a file has.
enum class CudaFunction : std::uint8_t {
    colour, ///< float3 colour(Point): red, green and blue, 0 to 1
    value,  ///< float value(Point): of an attribute
    field,  ///< float field(Node): metres that a place lies below the surface
};

struct CudaFile {
    std::string file; ///< its path
    std::string source;
    CudaFunction function = CudaFunction::colour;
    bool operator==(const CudaFile&) const = default;

    /// As messages name it: without folders, and what a line of C++ can't quote.
    std::string name() const;
};

} // namespace scanloupe
