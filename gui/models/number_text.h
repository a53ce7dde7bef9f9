#pragma once
// Numbers as people read them.
#include "engine/cloud/point_cloud.h"

#include <QString>
#include <cstdint>

namespace scanloupe::gui {

/// "1,234,567", as the locale groups digits.
QString countText(std::uint64_t count);
/// "412 kB", "1.4 GB".
QString bytesText(std::uint64_t bytes);
/// "3.42 ms", "1.25 s".
QString timeText(double milliseconds);
/// Six significant digits, no trailing zeros.
QString numberText(double value);
/// The shortest text that a single-precision number is read back from.
QString floatText(float value);
/// A value of an attribute in its type's own digits.
QString attributeText(const Attribute& attribute, double value);
/// A point's coordinate with the digits that its file holds. @param axis 0, 1 or 2
QString coordinateText(const PointCloud& cloud, std::size_t point, int axis);

} // namespace scanloupe::gui
