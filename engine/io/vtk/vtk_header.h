#pragma once
// Declares the structure of legacy VTK files: their arrays and the arrays' offsets (Kitware, "VTK File
// Formats").
#include "engine/io/common/input_file.h"
#include "kernels/core/scalar_type.h"

#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// A contiguous array of numbers: [rows, components].
struct VtkArray {
    std::string name;
    enum class Kind { points, scalars, colours, normals } kind = Kind::scalars;
    ScalarType type = ScalarType::float32;
    /// Bit type, read as uint8; binary files pack eight values into a byte, the first one highest.
    bool bits = false;
    std::size_t components = 1;
    std::uint64_t offset = 0; ///< file offset of the first number
    std::uint64_t rows = 0;   ///< as claimed
    std::uint64_t whole = 0;  ///< rows that are complete in the file
};

struct VtkFile {
    bool binary = false; ///< big endian
    std::string version, dataset;
    VtkArray points;
    std::vector<VtkArray> arrays;      ///< complete arrays with one row per point
    std::uint64_t faces = 0;           ///< number of polygons, strips and cells
    bool facesCut = false;             ///< whether the file ends within its faces
    std::uint64_t dims[3] = {0, 0, 0}; ///< dimensions of a structured grid
    std::vector<std::string> warnings;
};

/// Scans the file for its arrays. @throws EngineError when it is not legacy VTK, or does not list its points;
/// Cancelled
VtkFile readVtkStructure(const InputFile& file, const std::stop_token& stop);

} // namespace scanloupe
