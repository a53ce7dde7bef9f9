#pragma once
// Reads and skips the elements of binary PLY files.
#include "engine/io/ply/ply_header.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// A number of the given type; none at the end of the file.
std::optional<double> readPlyNumber(BlockReader& reader, ScalarType type, bool swapped);
/// Skips one property, a list or not; false when the file ends within it.
bool skipPlyProperty(BlockReader& reader, const PlyProperty& property, bool swapped);
/// Skips all instances of an element; false when the file ends within them. @throws Cancelled
bool skipPlyElement(BlockReader& reader, const PlyElement& element, bool swapped,
                    const std::stop_token& stop);

} // namespace scanloupe
