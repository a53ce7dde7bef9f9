#include "gui/views/colour_legend.h"

#include "engine/pipeline/colouring.h"
#include "gui/models/raw_text.h"
#include "gui/views/view_overlay.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ColourLegend", text);
}

/// So many digits that the two ends differ in three.
QString endText(float value, float low, float high) {
    const double span = double(high) - double(low), largest = std::max(std::abs(low), std::abs(high));
    if (!(span > 0) || largest >= 1e7 || largest < 1e-4)
        return QLocale().toString(double(value), 'g', 4);
    const int decimals = std::clamp(2 - int(std::floor(std::log10(span))), 0, 6);
    const QString text = QLocale().toString(double(value), 'f', decimals);
    return text.startsWith(QLocale().negativeSign()) && std::abs(value) < 0.5 * std::pow(10.0, -decimals)
               ? QLocale().toString(0.0, 'f', decimals) // no minus before nothing
               : text;
}

} // namespace

ColourLegend legendOf(const Recipe& resolved, float low, float high, bool ofMesh) {
    ColourLegend legend{shownText(resolved.colourBy), low, high, {}};
    if (resolved.colourBy == "height")
        legend.title = tr("Height, m");
    else if (resolved.colourBy == "count")
        legend.title = tr("Points a voxel");
    else if (resolved.colourBy == kPointDistance)
        legend.title = ofMesh ? tr("Distance to points, m") : tr("Distance to mesh, m");
    const auto map = colourMap(resolved.colourMap);
    std::copy_n(map.begin(), legend.map.size(), legend.map.begin());
    return legend;
}

QImage legendImage(const std::optional<ColourLegend>& legend, const QFont& font, double pixelRatio) {
    if (!legend)
        return {};
    constexpr double kBarWidth = 12, kBarHeight = 96, kPad = 4, kGap = 6;
    const QFontMetricsF metrics(font);
    const QString high = endText(legend->high, legend->low, legend->high),
                  low = endText(legend->low, legend->low, legend->high);
    const double numbers = std::max(metrics.horizontalAdvance(high), metrics.horizontalAdvance(low));
    const double width =
        std::max(metrics.horizontalAdvance(legend->title), numbers + kGap + kBarWidth) + 2 * kPad;
    const double barTop = metrics.height() + 2 * kPad, height = barTop + kBarHeight + kPad;
    QImage image((QSizeF(width, height) * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor text(226, 231, 236);
    drawOverlayText(painter,
                    {width - kPad - metrics.horizontalAdvance(legend->title), kPad + metrics.ascent()},
                    legend->title, font, text);
    const QRectF bar(width - kPad - kBarWidth, barTop, kBarWidth, kBarHeight);
    QImage strip(1, 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) {
        const std::uint32_t c = legend->map[std::size_t(255 - i)];
        strip.setPixel(0, i, qRgb(int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255)));
    }
    painter.drawImage(bar, strip);
    painter.setPen(QPen(QColor(20, 23, 26, 190), 1));
    painter.drawRect(bar);
    const auto drawEnd = [&](const QString& number, double baseline) {
        drawOverlayText(painter, {bar.left() - kGap - metrics.horizontalAdvance(number), baseline}, number,
                        font, text);
    };
    drawEnd(high, bar.top() + metrics.capHeight());
    drawEnd(low, bar.bottom());
    return image;
}

} // namespace scanloupe::gui
