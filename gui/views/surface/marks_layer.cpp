// Draws marks at places of the scan: projected, and clipped to what lies before the camera.
#include "gui/views/surface/marks_layer.h"

#include "gui/views/scene/camera_frame.h"
#include "gui/views/surface/view_overlay.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <array>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr double kOutside = 64; // pixels around a view where lines still go on
constexpr double kMarkerRadius = 4, kRingRadius = 7, kTextGap = 9;
const QColor kShade(20, 23, 26, 170); // around everything, for any background

/// A half-space in view coordinates (right, down, forward).
struct Plane {
    Vec3d normal;
    double offset = 0;
    double height(Vec3d p) const { return dot(normal, p) + offset; } ///< above 0: inside
};

/// Projects points, lines and polygons to pixels of a view.
class Projector {
public:
    Projector(const Camera& camera, QSizeF view) : m_frame(camera, view) {
        const double w = view.width() / 2 + kOutside, h = view.height() / 2 + kOutside;
        const double scale = m_frame.scale;
        const auto side = [&](double x, double y, double half) {
            return m_frame.orthographic ? Plane{{x * scale, y * scale, 0}, half}
                                        : Plane{{x * scale, y * scale, half}, 0};
        };
        m_planes = {Plane{{0, 0, 1}, -m_frame.nearPlane}, side(1, 0, w), side(-1, 0, w), side(0, 1, h),
                    side(0, -1, h)};
    }

    std::optional<QPointF> point(Vec3d p) const {
        const Vec3d v = m_frame.inView(p);
        for (const Plane& plane : m_planes)
            if (!(plane.height(v) > 0))
                return std::nullopt;
        return pixel(v);
    }
    std::optional<QLineF> line(Vec3d from, Vec3d to) const {
        Vec3d a = m_frame.inView(from), b = m_frame.inView(to);
        for (const Plane& plane : m_planes) {
            const double atA = plane.height(a), atB = plane.height(b);
            if (!(atA > 0 || atB > 0))
                return std::nullopt;
            if (!(atA > 0))
                a = between(a, b, atA, atB);
            else if (!(atB > 0))
                b = between(a, b, atA, atB);
        }
        return QLineF(pixel(a), pixel(b));
    }
    /// By the algorithm of Sutherland and Hodgman (1974).
    QPolygonF polygon(const std::vector<Vec3d>& corners) const {
        std::vector<Vec3d> inside;
        for (const Vec3d& corner : corners)
            inside.push_back(m_frame.inView(corner));
        for (const Plane& plane : m_planes) {
            const std::vector<Vec3d> before = std::exchange(inside, {});
            for (std::size_t i = 0; i < before.size(); ++i) {
                const Vec3d a = before[i], b = before[(i + 1) % before.size()];
                const double atA = plane.height(a), atB = plane.height(b);
                if (atA > 0)
                    inside.push_back(a);
                if ((atA > 0) != (atB > 0))
                    inside.push_back(between(a, b, atA, atB));
            }
        }
        QPolygonF polygon;
        for (const Vec3d& corner : inside)
            polygon << pixel(corner);
        return polygon;
    }

private:
    /// Where a line crosses a plane, given the heights of its ends.
    static Vec3d between(Vec3d a, Vec3d b, double atA, double atB) {
        return a + (b - a) * (atA / (atA - atB));
    }
    QPointF pixel(Vec3d v) const {
        const double factor = m_frame.orthographic ? m_frame.scale : m_frame.scale / v.z;
        return m_frame.centre + QPointF(v.x, v.y) * factor;
    }

    CameraFrame m_frame;
    std::array<Plane, 5> m_planes;
};

/// A mark in pixels of a view.
struct FlatMark {
    QPolygonF area;
    QList<QLineF> lines, dashed;
    QList<QPointF> markers;
    std::optional<QPointF> text; ///< its baseline
    QRectF bounds;
};

QList<QLineF> flatLines(const std::vector<std::vector<Vec3d>>& lines, const Projector& projector) {
    QList<QLineF> flat;
    for (const std::vector<Vec3d>& line : lines)
        for (std::size_t i = 1; i < line.size(); ++i)
            if (const auto part = projector.line(line[i - 1], line[i]))
                flat << *part;
    return flat;
}

FlatMark flatten(const SceneMark& mark, const Projector& projector, QSizeF view, const QFont& font) {
    FlatMark flat{projector.polygon(mark.area),
                  flatLines(mark.lines, projector),
                  flatLines(mark.dashedLines, projector),
                  {},
                  std::nullopt,
                  {}};
    for (const Vec3d& marker : mark.markers)
        if (const auto at = projector.point(marker))
            flat.markers << *at;
    QPolygonF all = flat.area;
    for (const QList<QLineF>& lines : {flat.lines, flat.dashed})
        for (const QLineF& line : lines)
            all << line.p1() << line.p2();
    for (const QPointF& marker : flat.markers)
        all << marker;
    if (const auto at = projector.point(mark.textAt); at && !mark.text.isEmpty()) {
        QRectF box = QFontMetricsF(font).boundingRect(mark.text);
        flat.text = mark.area.empty() ? *at + QPointF(kTextGap, -kTextGap) : *at - box.center();
        box.translate(*flat.text);
        if (box.right() > view.width() &&
            at->x() < view.width()) { // a text at the right border stands to the left
            const QPointF shift(std::max(view.width() - box.right(), -box.left()), 0);
            flat.text = *flat.text + shift;
            box.translate(shift);
        }
        all << box.topLeft() << box.bottomRight();
    }
    constexpr double kBorder = kRingRadius + 4; // of markers, lines and outlines
    if (!all.isEmpty())
        flat.bounds = all.boundingRect().adjusted(-kBorder, -kBorder, kBorder, kBorder);
    return flat;
}

void paint(QPainter& painter, const FlatMark& flat, const SceneMark& mark, const QFont& font) {
    QColor fill = mark.colour;
    fill.setAlpha(56);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(flat.area);
    if (mark.faint) {
        QColor thin = mark.colour;
        thin.setAlpha(110);
        painter.setPen(QPen(thin, 1));
        painter.drawLines(flat.lines);
    }
    for (const auto& [pen, width] : {std::pair(kShade, 4.0), std::pair(mark.colour, 2.0)}) {
        if (mark.faint)
            break;
        painter.setPen(QPen(pen, width, Qt::SolidLine, Qt::RoundCap));
        painter.drawLines(flat.lines);
        painter.setPen(QPen(pen, width, Qt::DotLine, Qt::RoundCap));
        painter.drawLines(flat.dashed);
    }
    for (const QPointF& marker : flat.markers) {
        if (mark.ring) {
            painter.setBrush(Qt::NoBrush);
            for (const auto& [pen, width] : {std::pair(kShade, 5.0), std::pair(mark.colour, 2.0)}) {
                painter.setPen(QPen(pen, width));
                painter.drawEllipse(marker, kRingRadius, kRingRadius);
            }
        } else {
            painter.setPen(QPen(kShade, 2));
            painter.setBrush(mark.colour);
            painter.drawEllipse(marker, kMarkerRadius, kMarkerRadius);
        }
    }
    if (flat.text)
        drawOverlayText(painter, *flat.text, mark.text, font, mark.colour);
}

PlacedImage drawn(const std::vector<SceneMark>& marks, const Projector& projector,
                  const std::optional<QLineF>& rubber, QSizeF view, const QFont& font, double ratio) {
    std::vector<FlatMark> flat;
    QRectF bounds;
    for (const SceneMark& mark : marks) {
        flat.push_back(flatten(mark, projector, view, font));
        bounds |= flat.back().bounds;
    }
    if (rubber)
        bounds |= QRectF(rubber->p1(), rubber->p2()).normalized().adjusted(-4, -4, 4, 4);
    const QRect pixels = QRectF(bounds.topLeft() * ratio, bounds.size() * ratio).toAlignedRect() &
                         QRect(QPoint(0, 0), (view * ratio).toSize());
    if (pixels.isEmpty())
        return {};
    PlacedImage placed{QImage(pixels.size(), QImage::Format_ARGB32_Premultiplied), pixels.topLeft()};
    placed.image.setDevicePixelRatio(ratio);
    placed.image.fill(Qt::transparent);
    QPainter painter(&placed.image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(-QPointF(pixels.topLeft()) / ratio);
    for (std::size_t i = 0; i < marks.size(); ++i)
        paint(painter, flat[i], marks[i], font);
    if (rubber)
        for (const auto& [pen, width] : {std::pair(kShade, 3.0), std::pair(marks.back().colour, 1.0)}) {
            painter.setPen(QPen(pen, width));
            painter.drawLine(*rubber);
        }
    return placed;
}

} // namespace

bool MarksLayer::setMarks(const SceneMarks& marks) {
    if (marks == m_marks)
        return false;
    m_marks = marks;
    m_isDrawn = false;
    return true;
}

bool MarksLayer::setCursor(std::optional<QPointF> pixel) {
    m_cursor = pixel;
    if (!m_marks.rubberFrom)
        return false;
    m_isDrawn = false;
    return true;
}

const PlacedImage& MarksLayer::image(const Camera& camera, QSizeF view, const QFont& font,
                                     double pixelRatio) {
    if (m_isDrawn && camera == m_camera && view == m_view && pixelRatio == m_ratio)
        return m_image;
    const Projector projector(camera, view);
    QFont bold = font;
    bold.setBold(true);
    std::optional<QLineF> rubber;
    if (m_cursor && m_marks.rubberFrom && !m_marks.marks.empty())
        if (const auto from = projector.point(*m_marks.rubberFrom))
            rubber = QLineF(*from, *m_cursor);
    m_image = drawn(m_marks.marks, projector, rubber, view, bold, pixelRatio);
    m_isDrawn = true;
    m_camera = camera;
    m_view = view;
    m_ratio = pixelRatio;
    return m_image;
}

} // namespace scanloupe::gui
