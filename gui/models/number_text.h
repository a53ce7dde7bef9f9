#pragma once
// Numbers as people read them.
#include "engine/cloud/point_cloud.h"

#include <QString>
#include <cstdint>
#include <optional>

class QLocale;

namespace scanloupe::gui {

/// "1,234,567", as the locale groups digits.
QString countText(std::uint64_t count);
/// "412 kB", "1.4 GB".
QString bytesText(std::uint64_t bytes);
/// "3.42 ms", "1.25 s".
QString timeText(double milliseconds);
/// Six significant digits, no trailing zeros.
QString numberText(double value);
/// All digits that a value is read back from.
QString roundTripText(double value, const QLocale& locale);

/// A number that somebody typed.
struct TypedNumber {
    std::optional<double> value; ///< none: it is no number, or ambiguous
    bool isAmbiguous = false;    ///< 1,234 where the comma may be either
};
/// Reads decimal points and commas, exponents, separators of thousands, and the locale's own digits and
/// signs.
TypedNumber parseNumber(const QString& text, const QLocale& locale);
/// The shortest text that a single-precision number is read back from.
QString floatText(float value);
/// A value of an attribute in its type's own digits.
QString attributeText(const Attribute& attribute, double value);
/// A point's coordinate with the digits that its file holds. @param axis 0, 1 or 2
QString coordinateText(const PointCloud& cloud, std::size_t point, int axis);

} // namespace scanloupe::gui
