#include "gui/models/number_text.h"

#include <QLocale>
#include <cmath>

namespace scanloupe::gui {

namespace {

/// Digits after the point of multiples of `scale`: 3 for 0.001 and for 0.005; as many as a double has where
/// the scale is no short decimal number.
int decimalsOf(double scale) {
    for (int digits = 0; digits < 12; ++digits) {
        const double multiple = scale * std::pow(10.0, digits);
        if (std::abs(multiple - std::round(multiple)) < 1e-6 * multiple)
            return digits;
    }
    return 12;
}

} // namespace

QString countText(std::uint64_t count) {
    return QLocale().toString(qulonglong(count));
}

QString bytesText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(qint64(bytes), bytes < 1000 ? 0 : 1, QLocale::DataSizeSIFormat);
}

QString timeText(double ms) {
    const QLocale locale;
    if (ms >= 1000)
        return QStringLiteral("%1 s").arg(locale.toString(ms / 1000, 'f', 2));
    return QStringLiteral("%1 ms").arg(locale.toString(ms, 'f', ms >= 100 ? 0 : ms >= 10 ? 1 : 2));
}

QString numberText(double value) {
    return QLocale().toString(value, 'g', 6);
}

QString floatText(float value) {
    for (int digits = 6; digits < 9; ++digits) {
        const QString text = QString::number(double(value), 'g', digits);
        if (text.toFloat() == value)
            return text;
    }
    return QString::number(double(value), 'g', 9);
}

QString attributeText(const Attribute& attribute, double value) {
    if (attribute.type == ScalarType::float32)
        return floatText(float(value));
    if (attribute.type == ScalarType::float64)
        return QString::number(value, 'g', QLocale::FloatingPointShortest);
    return QString::number(value, 'f', 0);
}

QString coordinateText(const PointCloud& cloud, std::size_t point, int axis) {
    const double value = cloud.position(point)[axis];
    if (std::holds_alternative<FloatPositions>(cloud.positions()))
        return floatText(float(value));
    if (const auto* scaled = std::get_if<ScaledPositions>(&cloud.positions()))
        return QString::number(value, 'f',
                               std::max(decimalsOf(scaled->scale[axis]), decimalsOf(scaled->offset[axis])));
    const int decimals = std::get<DoublePositions>(cloud.positions()).decimals;
    return decimals >= 0 ? QString::number(value, 'f', decimals)
                         : QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace scanloupe::gui
