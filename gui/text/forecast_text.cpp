// Describes the results and costs of a run, and their uncertainty.
#include "gui/text/forecast_text.h"

#include "gui/base/length_text.h"
#include "gui/text/number_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <cmath>

namespace scanloupe::gui {

namespace {

QString tr(const char* text, int count = -1) {
    return QCoreApplication::translate("Forecast", text, nullptr, count);
}

/// Two significant digits: 1200000 as "1.2 M", 34000 as "34 k".
QString roughCount(double count) {
    const QLocale locale;
    struct Unit {
        double size;
        const char* name;
    };
    for (const Unit& unit : {Unit{1e9, "G"}, Unit{1e6, "M"}, Unit{1e3, "k"}}) {
        if (count < 0.9995 * unit.size)
            continue;
        const double value = count / unit.size;
        return locale.toString(value, 'f', value < 9.95 ? 1 : 0) + QChar(0x202f) + QLatin1String(unit.name);
    }
    return locale.toString(count, 'f', 0);
}

/// " (±8 %)"; empty if it is exact.
QString uncertainty(const Estimate& estimate) {
    const double error = 100 * estimate.relativeError();
    return error < 1 ? QString() : QStringLiteral(" (±%1 %)").arg(QLocale().toString(error, 'f', 0));
}

QString roughTime(double ms) {
    const QLocale locale;
    if (ms < 95)
        return tr("%1 ms").arg(locale.toString(std::max(ms, 1.0), 'f', 0));
    const double seconds = ms / 1000;
    return tr("%1 s").arg(locale.toString(seconds, 'f', seconds < 9.95 ? 1 : 0));
}

/// English texts have no catalogue of plurals.
QString countedRuns(int count) {
    return count == 1 ? tr("one run") : tr("%n runs", count);
}

QString between(const QString& low, const QString& high) {
    return low == high ? low : tr("%1 to %2").arg(low, high);
}

QString counts(const Estimate& estimate) {
    return between(roughCount(estimate.low), roughCount(estimate.high));
}

} // namespace

QString forecastText(const Forecast& forecast) {
    const bool onDevice = forecast.deviceBytes.high > 0;
    const double bytes = onDevice ? forecast.deviceBytes.high : forecast.hostBytes.high;
    const QString memory =
        QLocale().formattedDataSize(qint64(bytes), bytes < 1e9 ? 0 : 1, QLocale::DataSizeSIFormat);
    QString text =
        forecast.isUnsure
            ? tr("uncertain: %1 voxels, up to %2 triangles, up to %3")
                  .arg(counts(forecast.voxels), roughCount(forecast.triangles.high), memory)
            : tr("≈ %1 voxels%2, %3 triangles%4, up to %5")
                  .arg(roughCount(forecast.voxels.value), uncertainty(forecast.voxels),
                       roughCount(forecast.triangles.value), uncertainty(forecast.triangles), memory);
    if (forecast.milliseconds.value > 0)
        text += tr(", %1").arg(roughTime(forecast.milliseconds.value));
    return text;
}

QString forecastDetails(const Forecast& forecast) {
    const auto line = [](const QString& name, const QString& values, const QString& source) {
        return QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td>%3</td></tr>")
            .arg(name.toHtmlEscaped(), values.toHtmlEscaped(), source.toHtmlEscaped());
    };
    QString rows = line(tr("Voxels"), counts(forecast.voxels),
                        forecast.isUnsure ? tr("the sample has too few points in this range for an estimate")
                                          : tr("from a sample of the points"));
    rows += line(tr("Triangles"), counts(forecast.triangles),
                 forecast.scanRuns > 0 ? tr("extrapolated from some boxes of the scan, corrected by %1")
                                             .arg(countedRuns(forecast.scanRuns))
                                       : tr("extrapolated from some boxes of the scan"));
    rows += line(tr("Memory"), tr("at most %1").arg(bytesText(std::uint64_t(forecast.hostBytes.high))),
                 tr("what the stages allocate, at the upper limits"));
    if (forecast.deviceBytes.high > 0)
        rows += line(tr("On the device"),
                     tr("at most %1").arg(bytesText(std::uint64_t(forecast.deviceBytes.high))),
                     tr("if it is too small, stages run on the CPU"));
    if (forecast.milliseconds.value > 0)
        rows += line(
            tr("Time"), between(roughTime(forecast.milliseconds.low), roughTime(forecast.milliseconds.high)),
            forecast.timedRuns > 0 ? tr("measured on this machine in %1").arg(countedRuns(forecast.timedRuns))
                                   : tr("from another machine, until stages have run on this one"));
    return tr("Estimated results and resources for the parameters above; the true values lie between these "
              "limits in nine of ten cases.") +
           QStringLiteral("<table>%1</table>").arg(rows);
}

QString refusalText(const Forecast& forecast, std::uint64_t available) {
    return tr("%1 voxels need about %2 of memory, but %3 are free.")
        .arg(roughCount(forecast.voxels.value), bytesText(std::uint64_t(forecast.neededBytes.value)),
             bytesText(available));
}

QString voxelSizeText(double size, LengthUnit unit) {
    return withUnit(QLocale().toString(size, 'g', 3), unit);
}

} // namespace scanloupe::gui
