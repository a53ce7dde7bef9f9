// Draws a section to scale: the surface by the rasterizer, lines and bar over it.
#include "gui/marks/section_picture.h"

#include "engine/inspect/section/write_section.h"
#include "engine/picture/picture_bands.h"
#include "engine/picture/picture_scene.h"
#include "engine/recipe/recipe.h"
#include "gui/base/length_text.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <cmath>
#include <cstring>

namespace scanloupe::gui {

namespace {

constexpr double kInch = 0.0254;                       // metres
constexpr double kRim = 0.01, kBarRoom = 0.012;        // metres on paper
constexpr double kLineWidth = 0.00035, kText = 0.0035; // metres on paper

double pixelsPerPaperUnit(const SectionPicture& picture) {
    return picture.dotsPerInch / kInch;
}

} // namespace

QSize SectionPicture::size(const SectionDrawing& drawing) const {
    const double dots = pixelsPerPaperUnit(*this), paper = paperMetres(unit, scale);
    const auto pixels = [&](double length, double room) {
        return int(std::min(1e6, std::ceil((length * paper + room) * dots)));
    };
    return {pixels(drawing.width(), 2 * kRim), pixels(drawing.height(), 2 * kRim + kBarRoom)};
}

QImage SectionPicture::draw(const Snapshot& snapshot, const SectionDrawing& drawing,
                            const std::stop_token& stop) const {
    const double dots = pixelsPerPaperUnit(*this), perUnit = dots * paperMetres(unit, scale);
    const QSize whole = size(drawing);
    // height of the part that shows the scan, without the bar
    const int height = whole.height() - int(kBarRoom * dots);
    const auto pixel = [&](SectionDrawing::Point p) {
        return QPointF((p[0] - drawing.low[0]) * perUnit, (drawing.high[1] - p[1]) * perUnit) +
               QPointF(kRim, kRim) * dots;
    };
    // the centre of the picture's scan part
    const Vec3d middle = drawing.inFile({drawing.low[0] + (whole.width() / 2.0 - kRim * dots) / perUnit,
                                         drawing.high[1] - (height / 2.0 - kRim * dots) / perUnit});
    Camera camera;
    camera.target = middle;
    camera.eye = middle + drawing.frame.across * (1 + snapshot.resolved->section->thickness);
    camera.up = drawing.frame.upwards;
    camera.orthographic = true;
    camera.orthographicHeight = height / perUnit;
    const PictureScene scene(snapshot, snapshot.resolved, DevicePlace{}, stop);
    PictureBands bands(scene, camera, whole.width(), height,
                       {.samples = int(snapshot.resolved->samples), .progress = {}}, stop);
    QImage image(whole, QImage::Format_RGBA8888);
    if (image.isNull())
        throw std::bad_alloc();
    image.fill(Qt::white);
    for (int row = 0; row < height;) {
        const auto rows = bands.rowsFrom(row);
        const int count = int(rows.size() / std::size_t(whole.width()));
        for (int i = 0; i < count; ++i)
            std::memcpy(image.scanLine(row + i), rows.data() + std::size_t(i) * std::size_t(whole.width()),
                        std::size_t(whole.width()) * 4);
        row += count;
    }
    image.setDotsPerMeterX(int(std::lround(dots)));
    image.setDotsPerMeterY(int(std::lround(dots)));
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(255, 159, 67), kLineWidth * dots, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    for (const SectionDrawing::Line& line : drawing.lines) {
        QPolygonF points;
        for (const SectionDrawing::Point& p : line.points)
            points << pixel(p);
        if (line.isClosed)
            painter.drawPolygon(points);
        else
            painter.drawPolyline(points);
    }
    const double length = scaleBarLength(drawing.width()), bar = length * perUnit, tick = 0.0015 * dots;
    const QPointF from(kRim * dots, height + 0.7 * kBarRoom * dots);
    painter.setPen(QPen(Qt::black, kLineWidth * dots));
    painter.drawPolyline(
        QPolygonF{from - QPointF(0, 2 * tick), from, from + QPointF(bar, 0), from + QPointF(bar, -2 * tick)});
    QFont font = painter.font();
    font.setPixelSize(std::max(1, int(kText * dots)));
    painter.setFont(font);
    painter.drawText(
        from + QPointF(bar + 2 * tick, 0),
        QCoreApplication::translate("scanloupe::gui::SectionPicture", "%1, 1:%2", "length of a bar, scale")
            .arg(withUnit(QString::number(length), unit))
            .arg(scale));
    return image;
}

} // namespace scanloupe::gui
