#pragma once
// Declares the formatting and parsing of numbers in the user's locale.
#include <QString>
#include <cstdint>
#include <optional>

class QLocale;

namespace scanloupe {
class Attribute;
class PointCloud;
} // namespace scanloupe

namespace scanloupe::gui {

/// "1,234,567", as the locale groups digits.
QString countText(std::uint64_t count);
/// "412 kB", "1.4 GB".
QString bytesText(std::uint64_t bytes);
/// "3.42 ms", "1.25 s".
QString timeText(double milliseconds);
/// Six significant digits, no trailing zeros.
QString numberText(double value);
/// Shortest text that parses back to the same value.
QString roundTripText(double value, const QLocale& locale);

/// A number typed by the user.
struct TypedNumber {
    std::optional<double> value; ///< none if the text is not a number, or ambiguous
    bool isAmbiguous = false;    ///< 1,234, where the comma may separate decimals or thousands
};
/// Parses decimal points and commas, exponents, thousands separators, and the locale's own digits and signs.
TypedNumber parseNumber(const QString& text, const QLocale& locale);
/// Shortest text that parses back to the same single-precision number.
QString floatText(float value);
/// An attribute's value with the digits of its type.
QString attributeText(const Attribute& attribute, double value);
/// A point's coordinate with the digits that its file stores. @param axis 0, 1 or 2
QString coordinateText(const PointCloud& cloud, std::size_t point, int axis);

} // namespace scanloupe::gui
