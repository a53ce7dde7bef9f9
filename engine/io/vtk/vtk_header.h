#pragma once
// Declares the structure of legacy VTK files: arrays and their file offsets (Kitware, "VTK File Formats").
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
    /// Whether the values are bits, which are read as uint8. Binary files pack eight bits into a byte, with
    /// the first bit in the most significant position.
    bool bits = false;
    std::size_t components = 1;
    std::uint64_t offset = 0; ///< file offset of the first number
    std::uint64_t rows = 0;   ///< number of rows that the file specifies
    std::uint64_t whole = 0;  ///< number of rows that are complete in the file
};

struct VtkFile {
    bool binary = false; ///< whether the numbers are binary (big endian)
    std::string version, dataset;
    VtkArray points;
    std::vector<VtkArray> arrays;      ///< arrays with one complete row per point
    std::uint64_t faces = 0;           ///< number of polygons, strips and cells
    bool facesCut = false;             ///< whether data of faces is incomplete
    std::uint64_t dims[3] = {0, 0, 0}; ///< dimensions of a structured grid; 0 for other data sets
    std::vector<std::string> warnings;
};

/// Scans the file for its arrays. @throws EngineError if the file is not legacy VTK, is invalid, or has no
/// list of points; Cancelled
VtkFile readVtkStructure(const InputFile& file, const std::stop_token& stop);

} // namespace scanloupe
