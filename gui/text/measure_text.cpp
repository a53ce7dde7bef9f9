// Formats measures in the user's locale.
#include "gui/text/measure_text.h"

#include "engine/inspect/measure/measure_kind.h"
#include "gui/base/length_text.h"
#include "kernels/voxelize/core/voxel_strategy.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe::gui {

namespace {

/// Colours that can be distinguished with any colour vision, on the dark background of the views (Okabe and
/// Ito 2008).
constexpr std::array<std::uint32_t, 6> kColours{0xe69f00, 0x56b4e9, 0xf0e442, 0x00c08b, 0xe8704a, 0xd98fbf};

QString tr(const char* text) {
    return QCoreApplication::translate("scanloupe::gui::Measures", text);
}

/// Three decimals, or more if there would be fewer than four significant digits.
QString numberOf(double value) {
    constexpr double kRounding = 1e-6; // smaller values are rounding errors
    const double size = std::abs(value);
    const int needed = size >= kRounding ? 3 - int(std::floor(std::log10(size))) : 0;
    return QLocale().toString(size >= kRounding ? value : 0, 'f', std::max(needed, 3));
}

QString figureText(const MeasureValues& values, double MeasureValues::*member, LengthUnit unit) {
    const MeasureFigure& figure = *std::ranges::find(measureFigures(), member, &MeasureFigure::value);
    const double value = values.*member;
    const bool isArea = figure.dimension == MeasureFigure::Dimension::area;
    if (isArea && values.edgesCross)
        return tr("edges cross");
    if (std::isnan(value))
        return tr("undefined");
    return figure.dimension == MeasureFigure::Dimension::angle
               ? tr("%1°").arg(QLocale().toString(value, 'f', 2))
               : withUnit(numberOf(value), unit, isArea ? 2 : 1);
}

QString coordinatesText(Vec3d p) {
    return QStringLiteral("%1, %2, %3")
        .arg(QString::number(p.x, 'f', 4), QString::number(p.y, 'f', 4), QString::number(p.z, 'f', 4));
}

/// "Distance 2.310 m"; for a point its name only.
QString described(const Measure& measure, Vec3d up, LengthUnit unit) {
    return rowOf(measure.kind).shown.empty()
               ? QString::fromStdString(measure.name)
               : tr("%1 %2").arg(kindText(measure.kind), valueText(measure, up, unit));
}

QString editText(const Measure& before, const Measure& after) {
    const QString name = QString::fromStdString(before.name);
    if (before.name != after.name)
        return tr("%1 renamed to %2").arg(name, QString::fromStdString(after.name));
    if (before.colour != after.colour)
        return tr("Colour of %1").arg(name);
    return after.visible ? tr("%1 shown").arg(name) : tr("%1 hidden").arg(name);
}

} // namespace

QString kindText(MeasureKind kind) {
    return tr(rowOf(kind).label);
}

QString valueText(const Measure& measure, Vec3d up, LengthUnit unit) {
    const auto& shown = rowOf(measure.kind).shown;
    return shown.empty() ? QString::fromStdString(measure.name)
                         : figureText(valuesOf(measure, up), shown.front(), unit);
}

QString valuesText(const Measure& measure, Vec3d up, LengthUnit unit) {
    const MeasureKindRow& row = rowOf(measure.kind);
    if (row.shown.empty())
        return measure.points.empty() ? QString() : coordinatesText(measure.points.front().position);
    const MeasureValues values = valuesOf(measure, up);
    QString text = tr(row.text);
    for (const auto figure : row.shown)
        text = text.arg(figureText(values, figure, unit));
    return text;
}

QString snapText(const Measure& measure) {
    const auto all = measure.points.size();
    const auto onPoints =
        std::size_t(std::ranges::count(measure.points, MeasureSnap::scanPoint, &MeasurePoint::snap));
    const bool onLines = std::ranges::all_of(
        measure.points, [](const MeasurePoint& point) { return point.snap == MeasureSnap::sectionLine; });
    if (onLines)
        return tr("section lines");
    if (onPoints == 0)
        return tr("surface");
    if (onPoints == all)
        return all == 1 ? tr("scan point") : tr("scan points");
    return tr("%1 of %2 scan points").arg(onPoints).arg(all);
}

QString pointsText(const Measure& measure) {
    QStringList lines;
    for (const MeasurePoint& point : measure.points)
        lines << coordinatesText(point.position);
    return lines.join(QLatin1Char('\n'));
}

QString measureChangeText(const MeasureList& before, const MeasureList& after, Vec3d up, LengthUnit unit) {
    if (after.size() == before.size() + 1)
        return tr("%1 added").arg(described(after.back(), up, unit));
    const auto [a, b] = std::ranges::mismatch(before, after);
    if (after.size() + 1 == before.size())
        return tr("%1 removed").arg(described(*a, up, unit));
    if (after.size() != before.size())
        return tr("%1 measurements removed").arg(qint64(before.size()) - qint64(after.size()));
    const auto changes = std::ranges::count_if(
        before, [&, i = std::size_t(0)](const Measure& m) mutable { return m != after[i++]; });
    if (changes > 1)
        return tr("%1 measurements changed").arg(changes);
    return a == before.end() ? QString() : editText(*a, *b);
}

QString freeName(MeasureKind kind, const MeasureList& measures) {
    for (int number = 1;; ++number) {
        const QString name = tr("%1 %2").arg(kindText(kind)).arg(number);
        if (std::ranges::find(measures, name.toStdString(), &Measure::name) == measures.end())
            return name;
    }
}

std::uint32_t freeColour(const MeasureList& measures) {
    return *std::ranges::min_element(kColours, {}, [&](std::uint32_t colour) {
        return std::ranges::count(measures, colour, &Measure::colour);
    });
}

} // namespace scanloupe::gui
