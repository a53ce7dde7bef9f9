// Draws the legend of colours: a colour bar with its limits, or a list of classes.
#include "gui/views/surface/colour_legend.h"

#include "engine/picture/colouring.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/class_label.h"
#include "gui/base/length_text.h"
#include "gui/base/raw_text.h"
#include "gui/views/surface/view_overlay.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ColourLegend", text);
}

/// Formats a limit with enough digits that the two limits differ in three.
QString limitText(float value, float low, float high) {
    const double span = double(high) - double(low), largest = std::max(std::abs(low), std::abs(high));
    if (!(span > 0) || largest >= 1e7 || largest < 1e-4)
        return QLocale().toString(double(value), 'g', 4);
    const int decimals = std::clamp(2 - int(std::floor(std::log10(span))), 0, 6);
    const QString text = QLocale().toString(double(value), 'f', decimals);
    return text.startsWith(QLocale().negativeSign()) && std::abs(value) < 0.5 * std::pow(10.0, -decimals)
               ? QLocale().toString(0.0, 'f', decimals) // avoids a negative zero
               : text;
}

const QColor kTextColour(226, 231, 236), kFrameColour(20, 23, 26, 190);

QImage transparentImage(double width, double height, double pixelRatio) {
    QImage image((QSizeF(width, height) * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(Qt::transparent);
    return image;
}

/// Draws the title, then a row for each class: its text, and its colour at the right edge, where the colour
/// bar of values is.
QImage classesImage(const ColourLegend& legend, const QFont& font, double pixelRatio) {
    constexpr std::size_t kMaxRows = 14;
    constexpr double kSwatch = 12, kPad = 4, kGap = 6;
    const QFontMetricsF metrics(font);
    const ClassColours& classes = legend.classes;
    const std::size_t rows = classes.count <= kMaxRows ? classes.count : kMaxRows - 1;
    QStringList texts;
    for (std::size_t i = 0; i < rows; ++i)
        texts.push_back(classLabel(classes.listed[i].text));
    if (rows < classes.count)
        texts.push_back(tr("and %1 more").arg(QLocale().toString(qulonglong(classes.count - rows))));
    double width = metrics.horizontalAdvance(legend.title);
    for (const QString& text : texts)
        width = std::max(width, metrics.horizontalAdvance(text) + kGap + kSwatch);
    width += 2 * kPad;
    const double rowHeight = std::max(metrics.height(), kSwatch + 2), top = metrics.height() + 2 * kPad;
    QImage image = transparentImage(width, top + rowHeight * double(texts.size()) + kPad, pixelRatio);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const double right = width - kPad;
    drawOverlayText(painter, {right - metrics.horizontalAdvance(legend.title), kPad + metrics.ascent()},
                    legend.title, font, kTextColour);
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const double y = top + rowHeight * double(i);
        drawOverlayText(painter,
                        {right - kSwatch - kGap - metrics.horizontalAdvance(texts[i]),
                         y + (rowHeight - metrics.height()) / 2 + metrics.ascent()},
                        texts[i], font, kTextColour);
        if (std::size_t(i) >= rows)
            continue;
        const std::uint32_t c = classes.listed[std::size_t(i)].rgba;
        painter.setPen(QPen(kFrameColour, 1));
        painter.setBrush(QColor(int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255)));
        painter.drawRect(QRectF(right - kSwatch, y + (rowHeight - kSwatch) / 2, kSwatch, kSwatch));
    }
    return image;
}

QString attributeTitle(const Recipe& resolved) {
    return shownText(std::string(colourAttribute(resolved.colourBy)));
}

} // namespace

ColourLegend legendOf(const Recipe& resolved, float low, float high, bool ofMesh, LengthUnit unit) {
    const ColourMode& mode = colourModeOf(resolved.colourBy);
    ColourLegend legend{attributeTitle(resolved), low, high, {}, {}};
    if (!mode.isOfAnyAttribute())
        legend.title = QCoreApplication::translate("parameters", ofMesh ? mode.legendOfMesh : mode.legend)
                           .replace(QLatin1String("%1"), unitSymbol(unit)); // some titles have no placeholder
    const auto map = colourMapOf(resolved);
    std::copy_n(map.begin(), legend.map.size(), legend.map.begin());
    return legend;
}

ColourLegend legendOf(const Recipe& resolved, const ClassColours& classes) {
    return {attributeTitle(resolved), 0, 1, {}, classes};
}

std::optional<ColourLegend> legendOf(const Snapshot& snapshot, LengthUnit unit) {
    if (!snapshot.picture)
        return std::nullopt;
    const Picture& picture = *snapshot.picture;
    if (picture.classes)
        return legendOf(snapshot.resolved, *picture.classes);
    if (!picture.mapped)
        return std::nullopt;
    const bool ofMesh = snapshot.resolved->show == PictureContent::mesh;
    return legendOf(snapshot.resolved, picture.low, picture.high, ofMesh, unit);
}

QImage legendImage(const std::optional<ColourLegend>& legend, const QFont& font, double pixelRatio) {
    if (!legend)
        return {};
    if (legend->classes.count > 0)
        return classesImage(*legend, font, pixelRatio);
    constexpr double kBarWidth = 12, kBarHeight = 96, kPad = 4, kGap = 6;
    const QFontMetricsF metrics(font);
    const QString high = limitText(legend->high, legend->low, legend->high),
                  low = limitText(legend->low, legend->low, legend->high);
    const double numbers = std::max(metrics.horizontalAdvance(high), metrics.horizontalAdvance(low));
    const double width =
        std::max(metrics.horizontalAdvance(legend->title), numbers + kGap + kBarWidth) + 2 * kPad;
    const double barTop = metrics.height() + 2 * kPad, height = barTop + kBarHeight + kPad;
    QImage image = transparentImage(width, height, pixelRatio);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    drawOverlayText(painter,
                    {width - kPad - metrics.horizontalAdvance(legend->title), kPad + metrics.ascent()},
                    legend->title, font, kTextColour);
    const QRectF bar(width - kPad - kBarWidth, barTop, kBarWidth, kBarHeight);
    QImage strip(1, 256, QImage::Format_RGB32);
    for (int i = 0; i < 256; ++i) {
        const std::uint32_t c = legend->map[std::size_t(255 - i)];
        strip.setPixel(0, i, qRgb(int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255)));
    }
    painter.drawImage(bar, strip);
    painter.setPen(QPen(kFrameColour, 1));
    painter.drawRect(bar);
    const auto drawEnd = [&](const QString& number, double baseline) {
        drawOverlayText(painter, {bar.left() - kGap - metrics.horizontalAdvance(number), baseline}, number,
                        font, kTextColour);
    };
    drawEnd(high, bar.top() + metrics.capHeight());
    drawEnd(low, bar.bottom());
    return image;
}

} // namespace scanloupe::gui
