#pragma once
// Declares the serialization of single points for the cloud writers, in binary and as text.
#include "engine/io/common/write/write_pieces.h"

namespace scanloupe {
class Attribute;
class PointCloud;
enum class ScalarType : std::uint8_t;
} // namespace scanloupe

namespace scanloupe::detail {

/// Returns the type of written coordinates: float32 if the cloud stores floats, otherwise float64.
ScalarType coordinateType(const PointCloud& cloud);

/// Appends x, y, z of point `i` as binary numbers of coordinateType().
void appendPosition(std::string& out, const PointCloud& cloud, std::size_t i);

/// Appends the value of point `i` as a binary number of the attribute's own type.
void appendValue(std::string& out, const Attribute& attribute, std::size_t i);

/// Appends x, y, z and all attributes of point `i` as text. Integers are exact; floating-point numbers have
/// as many digits as necessary to reproduce them.
void appendTextRow(std::string& out, const PointCloud& cloud, std::size_t i, char delimiter);

} // namespace scanloupe::detail
