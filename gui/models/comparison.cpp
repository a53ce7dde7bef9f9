// Describes how two runs differ.
#include "gui/models/comparison.h"

#include "engine/graph/stage_cache.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/text/number_text.h"
#include "gui/text/recipe_change_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Comparison", text);
}

const QString kUnknown = QStringLiteral("–");
constexpr QChar kMinus(0x2212);

/// "−1,234 (−12.5 %)"; "0" without a difference.
QString differenceText(double a, double b, const QString& size) {
    if (a == b)
        return QStringLiteral("0");
    const QString sign = b > a ? QStringLiteral("+") : QString(kMinus);
    if (a == 0)
        return sign + size;
    const double percent = 100 * std::abs(b - a) / a;
    return tr("%1%2 (%1%3 %)").arg(sign, size, QLocale().toString(percent, 'f', percent < 100 ? 1 : 0));
}

QString countDifference(std::uint64_t a, std::uint64_t b) {
    return differenceText(double(a), double(b), countText(std::max(a, b) - std::min(a, b)));
}

QString row(const QString& name, const QStringList& values) {
    QString cells = QStringLiteral("<td><b>%1</b></td>").arg(name.toHtmlEscaped());
    for (const QString& value : values)
        cells += QStringLiteral("<td align=\"right\">&nbsp;&nbsp;&nbsp;%1</td>").arg(value.toHtmlEscaped());
    return QStringLiteral("<tr>%1</tr>").arg(cells);
}

QStringList valuesOf(const std::optional<RunFigures>& run) {
    if (!run)
        return {kUnknown, kUnknown, kUnknown, kUnknown};
    return {countText(run->voxels), countText(run->vertices), countText(run->triangles),
            run->ms ? timeText(*run->ms) : kUnknown};
}

QStringList differences(const Comparison& comparison) {
    if (!comparison.a || !comparison.b)
        return {kUnknown, kUnknown, kUnknown, kUnknown};
    const RunFigures &a = *comparison.a, &b = *comparison.b;
    return {countDifference(a.voxels, b.voxels), countDifference(a.vertices, b.vertices),
            countDifference(a.triangles, b.triangles),
            a.ms && b.ms ? differenceText(*a.ms, *b.ms, timeText(std::abs(*b.ms - *a.ms))) : kUnknown};
}

QString named(const QString& name, const QString& backend) {
    return backend.isEmpty() ? name : QStringLiteral("%1: %2").arg(name, backend);
}

} // namespace

RunFigures figuresOf(const Snapshot& snapshot, std::optional<double> ms) {
    return {snapshot.voxels ? snapshot.voxels->size() : 0, snapshot.mesh ? snapshot.mesh->vertexCount() : 0,
            snapshot.mesh ? snapshot.mesh->triangleCount() : 0, ms};
}

QStringList changesBetween(const Snapshot& a, const Snapshot& b, LengthUnit unit) {
    const Recipe setA = withoutViews(a.recipe), setB = withoutViews(b.recipe);
    QStringList changes;
    for (const Parameter* parameter : changedParameters(setA, setB))
        // setting a parameter to its automatic value changes nothing
        if (!parameter->isSame(a.resolved, b.resolved))
            changes << changeText(*parameter, a.resolved, b.resolved, unit);
    return changes;
}

QString figuresTable(const Comparison& comparison) {
    return QStringLiteral("<table cellspacing=\"0\">%1</table>")
        .arg(row({}, {tr("Voxels"), tr("Vertices"), tr("Triangles"), tr("Time until mesh")}) +
             row(named(tr("A"), comparison.backendA), valuesOf(comparison.a)) +
             row(named(tr("B"), comparison.backendB), valuesOf(comparison.b)) +
             row(tr("Difference"), differences(comparison)));
}

QString verdictText(const Comparison& comparison) {
    if (!comparison.a)
        return tr("A is being computed…");
    if (!comparison.difference)
        return tr("Comparing…");
    const ResultDifference& difference = *comparison.difference;
    if (difference.isIdentical())
        return tr("Identical: voxels, mesh and picture are the same, byte for byte.");
    QStringList parts;
    if (difference.sameVoxels && difference.sameMesh)
        parts << tr("Voxels and mesh are the same, byte for byte.");
    else if (difference.sameVoxels)
        parts << tr("The voxels are the same, byte for byte; the mesh differs.");
    else if (difference.sameMesh)
        parts << tr("The mesh is the same, byte for byte; the voxels differ.");
    else
        parts << tr("Voxels and mesh differ.");
    if (!difference.pixels)
        parts << tr("The pictures are being drawn…");
    else if (difference.pixels->differing == 0)
        parts << tr("The pictures are the same.");
    else
        parts << tr("%1 % of the pixels differ.")
                     .arg(QLocale().toString(100 * double(difference.pixels->differing) /
                                                 double(difference.pixels->all),
                                             'g', 3));
    return parts.join(QLatin1Char(' '));
}

QString refusalOfSecondRun(const Forecast& forecast, std::uint64_t available) {
    // a second run shares nothing with the first, so it needs the full amount
    const double needed = forecast.hostBytes.high;
    if (needed <= double(available))
        return {};
    return tr("A keeps separate results of up to %1, but only %2 of memory are free.")
        .arg(bytesText(std::uint64_t(needed)), bytesText(available));
}

} // namespace scanloupe::gui
