#pragma once
// Serializes single points of a cloud for the cloud writers, in binary and as text.
#include "engine/io/common/write/write_pieces.h"

namespace scanloupe {
class Attribute;
class PointCloud;
enum class ScalarType : std::uint8_t;
} // namespace scanloupe

namespace scanloupe::detail {

/// The type of written coordinates: float32 where the cloud holds floats, else float64.
ScalarType coordinateType(const PointCloud& cloud);

/// Appends x, y, z of point `i` as binary numbers of coordinateType.
void appendPosition(std::string& out, const PointCloud& cloud, std::size_t i);

/// Appends the value of point `i` as a binary number of the attribute's own type.
void appendValue(std::string& out, const Attribute& attribute, std::size_t i);

/// Appends x, y, z and all attributes of point `i` as text: integers exactly, floating-point numbers with the
/// digits that reproduce them.
void appendTextRow(std::string& out, const PointCloud& cloud, std::size_t i, char delimiter);

} // namespace scanloupe::detail
