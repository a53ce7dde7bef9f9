// Formats and parses numbers in the user's locale.
#include "gui/text/number_text.h"

#include "engine/cloud/point_cloud.h"

#include <QLocale>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

/// Decimal places of multiples of `scale`: 3 for 0.001 and for 0.005; 12, about as many as a double has, when
/// the scale is no short decimal number. Also for offsets, which may be 0, negative or large.
int decimalsOf(double scale) {
    constexpr double rounding = 1e-15; // relative rounding error of a double
    for (int digits = 0; digits < 12; ++digits) {
        const double multiple = std::abs(scale) * std::pow(10.0, digits);
        const double tolerance = std::max(1e-6 * std::min(multiple, 1.0), rounding * multiple);
        if (std::abs(multiple - std::round(multiple)) <= tolerance)
            return digits;
    }
    return 12;
}

/// Replaces the locale's digits and signs by ASCII ones, and removes blanks and apostrophes, which separate
/// thousands.
QString normalizedNumber(QString text, const QLocale& locale) {
    text.replace(locale.negativeSign(), QLatin1String("-"));
    text.replace(locale.positiveSign(), QLatin1String("+"));
    text.replace(locale.exponential(), QLatin1String("e"), Qt::CaseInsensitive);
    if (locale.decimalPoint() != QLatin1String(","))
        text.replace(locale.decimalPoint(), QLatin1String("."));
    const QString group = locale.groupSeparator();
    if (group != QLatin1String(".") && !group.trimmed().isEmpty())
        text.replace(group, QLatin1String(","));
    QString plain;
    for (const QChar c : text) {
        if (c.digitValue() >= 0)
            plain += QChar(u'0' + c.digitValue());
        else if (c == QChar(0x2212)) // minus sign
            plain += QLatin1Char('-');
        else if (!c.isSpace() && c != QLatin1Char('\'') && c != QChar(0x2019))
            plain += c;
    }
    return plain;
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

QString roundTripText(double value, const QLocale& locale) {
    return locale.toString(value, 'g', QLocale::FloatingPointShortest)
        .remove(locale.groupSeparator())
        .toLower();
}

TypedNumber parseNumber(const QString& text, const QLocale& locale) {
    QString plain = normalizedNumber(text, locale);
    static const QRegularExpression grouped(
        QStringLiteral(R"(^[+-]?\d{1,3}(?:(,\d{3})+(\.\d*)?|(\.\d{3})+(,\d*)?)(e[+-]?\d+)?$)"),
        QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression oneGroup(QStringLiteral(R"(^[+-]?[1-9]\d{0,2}[,.]\d{3}$)"));
    const auto separators = plain.count(QLatin1Char(',')) + plain.count(QLatin1Char('.'));
    if (separators == 1) {
        const bool ofLocale =
            plain.contains(locale.decimalPoint() == QLatin1String(",") ? QLatin1Char(',') : QLatin1Char('.'));
        if (!ofLocale && oneGroup.match(plain).hasMatch())
            return {{}, true};
        plain.replace(QLatin1Char(','), QLatin1Char('.'));
    } else if (separators > 1) {
        if (!grouped.match(plain).hasMatch())
            return {};
        const QChar last =
            plain[std::max(plain.lastIndexOf(QLatin1Char(',')), plain.lastIndexOf(QLatin1Char('.')))];
        const bool hasDecimals = plain.count(last) == 1;
        plain.remove(last == QLatin1Char(',') ? QLatin1Char('.') : QLatin1Char(','));
        hasDecimals ? plain.replace(last, QLatin1Char('.')) : plain.remove(last);
    }
    bool ok = false;
    const double value = plain.toDouble(&ok);
    return ok && std::isfinite(value) ? TypedNumber{value} : TypedNumber{};
}

QString floatText(float value) {
    for (int digits = 6; digits < 9; ++digits) {
        QString text = QString::number(double(value), 'g', digits);
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
