#pragma once
// Declares functions that read and skip elements of binary PLY files.
#include "engine/io/ply/ply_header.h"

#include <cstdint>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// Reads a number of the given type; returns nullopt if the file ends before or within the number. @param
/// swapped whether the file's byte order differs from the CPU's
std::optional<double> readPlyNumber(BlockReader& reader, ScalarType type, bool swapped);
/// Skips a property of one element; lists are skipped completely. Returns false if the file ends within the
/// property.
bool skipPlyProperty(BlockReader& reader, const PlyProperty& property, bool swapped);
/// Skips all instances of an element. Returns false if the file ends within them. @throws Cancelled
bool skipPlyElement(BlockReader& reader, const PlyElement& element, bool swapped,
                    const std::stop_token& stop);

} // namespace scanloupe
