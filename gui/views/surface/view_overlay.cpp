// Draws the overlay of the views: title, axes, legend and focus frame.
#include "gui/views/surface/view_overlay.h"

#include "gui/views/scene/camera_frame.h"
#include "kernels/raster/core/raster_scene.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStaticText>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace scanloupe::gui {

namespace {

QImage transparent(QSizeF size, double pixelRatio) {
    QImage image((size * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(pixelRatio);
    image.fill(Qt::transparent);
    return image;
}

} // namespace

void drawOverlayText(QPainter& painter, QPointF baseline, const QString& text, const QFont& font,
                     QColor colour) {
    // a halo from the text itself: drawing cached glyphs takes a tenth of the time of stroking outlines
    constexpr int kDirections = 12;
    constexpr double kHalo = 1.5;
    QStaticText shaped(text); // the layout is computed once for all directions
    shaped.setTextFormat(Qt::PlainText);
    shaped.prepare(painter.transform(), font);
    const QPointF corner = baseline - QPointF(0, QFontMetricsF(font).ascent());
    painter.setFont(font);
    painter.setPen(QColor(20, 23, 26, 90)); // most pixels are covered several times
    for (int i = 0; i < kDirections; ++i) {
        const double angle = 2 * std::numbers::pi * i / kDirections;
        painter.drawStaticText(corner + kHalo * QPointF(std::cos(angle), std::sin(angle)), shaped);
    }
    painter.setPen(colour);
    painter.drawStaticText(corner, shaped);
}

QImage titleImage(const QString& wholeTitle, const QString& wholeDetail, const QFont& font, double room,
                  double pixelRatio) {
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF boldMetrics(bold), metrics(font);
    const double pad = 4, gap = 10;
    const double inner = room - 2 * pad - 2 * overlayMargin(1);
    const QString title = boldMetrics.elidedText(wholeTitle, Qt::ElideRight, inner);
    const double titleWidth = boldMetrics.horizontalAdvance(title);
    QString detail = wholeDetail;
    while (!detail.isEmpty() && titleWidth + gap + metrics.horizontalAdvance(detail) > inner)
        detail.truncate(std::max(qsizetype(0), detail.lastIndexOf(QStringLiteral(" · "))));
    const double width = titleWidth + (detail.isEmpty() ? 0 : gap + metrics.horizontalAdvance(detail));
    QImage image = transparent({width + 2 * pad, boldMetrics.height() + 2 * pad}, pixelRatio);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const double baseline = pad + boldMetrics.ascent();
    drawOverlayText(painter, {pad, baseline}, title, bold, QColor(240, 243, 246));
    drawOverlayText(painter, {pad + titleWidth + gap, baseline}, detail, font, QColor(176, 184, 192));
    return image;
}

QImage tripodImage(const Camera& camera, const QFont& font, double pixelRatio) {
    constexpr double kSize = 72, kArm = 24;
    struct Axis {
        Vec3d direction;
        const char* name;
        QColor colour;
    };
    std::array<Axis, 3> axes{Axis{{1, 0, 0}, "x", QColor(236, 94, 84)},
                             Axis{{0, 1, 0}, "y", QColor(120, 200, 90)},
                             Axis{{0, 0, 1}, "z", QColor(96, 156, 246)}};
    const CameraFrame frame(camera, {kSize, kSize});
    std::sort(axes.begin(), axes.end(), [&](const Axis& a, const Axis& b) { // back to front
        return dot(a.direction, frame.forward) > dot(b.direction, frame.forward);
    });
    QImage image = transparent({kSize, kSize}, pixelRatio);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF centre(kSize / 2, kSize / 2);
    const QFontMetricsF metrics(font);
    for (const Axis& axis : axes) {
        const QPointF along(dot(axis.direction, frame.right), dot(axis.direction, frame.down));
        const QPointF tip = centre + along * kArm;
        painter.setPen(QPen(QColor(20, 23, 26, 150), 4, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(centre, tip);
        painter.setPen(QPen(axis.colour, 2, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(centre, tip);
        const double length = std::hypot(along.x(), along.y());
        if (length < 0.2) // the axis points at the eye: its label would hide the others
            continue;
        const QPointF name = centre + along * (kArm + 8 / length);
        const QRectF box = metrics.tightBoundingRect(axis.name);
        drawOverlayText(painter, name - box.center(), axis.name, font, axis.colour.lighter(115));
    }
    return image;
}

bool hasRoomForLegend(const Overlay& overlay, QSize view) {
    return view.width() > overlay.legend.width() + overlay.tripod.width() + 3 * overlay.margin &&
           view.height() > overlay.legend.height() + overlay.title.height() + 3 * overlay.margin;
}

void paintOverlay(QPainter& painter, const Overlay& overlay, const QRectF& view) {
    const auto draw = [&](const QImage& image, bool below, bool right) {
        if (image.isNull())
            return;
        const double ratio = image.devicePixelRatio(), margin = overlay.margin / ratio;
        const double y = below ? view.bottom() - image.height() / ratio - margin : view.top() + margin;
        const double x = right ? view.right() - image.width() / ratio - margin : view.left() + margin;
        painter.drawImage(QPointF(x, y), image);
    };
    if (overlay.frame > 0) {
        const double width = overlay.frame / painter.device()->devicePixelRatio();
        painter.setPen(QPen(focusColour(), width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(view.adjusted(width / 2, width / 2, -width / 2, -width / 2));
    }
    if (const QImage& marks = overlay.marks.image; !marks.isNull())
        painter.drawImage(view.topLeft() + QPointF(overlay.marks.at) / marks.devicePixelRatio(), marks);
    draw(overlay.title, false, false);
    draw(overlay.tripod, true, false);
    if (hasRoomForLegend(overlay, (view.size() * overlay.legend.devicePixelRatio()).toSize()))
        draw(overlay.legend, true, true);
}

QColor focusColour() {
    return QColor(96, 156, 246);
}

QColor viewBackground() {
    constexpr std::uint32_t rgba = Shading{}.background;
    return QColor(rgba & 0xff, rgba >> 8 & 0xff, rgba >> 16 & 0xff);
}

} // namespace scanloupe::gui
