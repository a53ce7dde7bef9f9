// Draws marks at places of the scan: projected, and clipped at the camera.
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

constexpr double kOutside = 64; // pixels around a view to which lines are drawn
constexpr double kInset = 12;   // pixels from the border of a view to the head of an arrow that leaves it
constexpr double kMarkerRadius = 4, kRingRadius = 7, kTextGap = 9;
constexpr double kHeadLength = 14, kHeadAngle = 24; // arrow head: pixels, degrees to each side
constexpr double kPointSize = 2;
constexpr int kPointAlpha = 160;
const QColor kShade(20, 23, 26, 170); // shade around marks, for contrast on any background

/// A half-space in view coordinates (right, down, forward).
struct Plane {
    Vec3d normal;
    double offset = 0;
    double height(Vec3d p) const { return dot(normal, p) + offset; } ///< above 0: inside
};

/// Projects points, lines and polygons to pixels of a view.
class Projector {
public:
    /// @param outside pixels around the view that are drawn, too
    Projector(const Camera& camera, QSizeF view, double outside) : m_frame(camera, view) {
        const double w = view.width() / 2 + outside, h = view.height() / 2 + outside;
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
    /// Clips a polygon by the algorithm of Sutherland and Hodgman (1974).
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

/// The projectors of a view.
struct Projectors {
    Projector around; ///< for the view and a margin around it
    Projector within;
};

/// A mark in pixels of a view.
struct FlatMark {
    QPolygonF area;
    QList<QLineF> lines, dashed;
    QList<QPointF> markers, points;
    std::optional<QPointF> text; ///< its baseline
    QRectF textBox;
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

/// Adds the head of an arrow at `tip` to its lines.
void addHead(QList<QLineF>& lines, QPointF tip, QPointF from) {
    QLineF side(tip, from);
    const double angle = side.angle();
    for (const double turn : {-kHeadAngle, kHeadAngle}) {
        side.setLength(kHeadLength);
        side.setAngle(angle + turn);
        lines << side;
    }
}

QList<QLineF> flatArrows(const std::vector<std::vector<Vec3d>>& arrows, const Projector& projector) {
    QList<QLineF> all;
    for (const std::vector<Vec3d>& arrow : arrows) {
        QList<QLineF> flat = flatLines({arrow}, projector);
        if (flat.isEmpty())
            continue;
        const QLineF first = flat.front(), last = flat.back();
        addHead(flat, first.p1(), first.p2());
        addHead(flat, last.p2(), last.p1());
        all << flat;
    }
    return all;
}

QList<QPointF> flatPoints(const std::vector<Vec3d>& points, const Projector& projector) {
    QList<QPointF> flat;
    flat.reserve(qsizetype(points.size()));
    for (const Vec3d& point : points)
        if (const auto at = projector.point(point))
            flat << *at;
    return flat;
}

/// Places the text of a mark next to its position.
void placeText(FlatMark& flat, const SceneMark& mark, QPointF at, QSizeF view, const QFont& font) {
    QRectF box = QFontMetricsF(font).boundingRect(mark.text);
    flat.text = mark.area.empty() ? at + QPointF(kTextGap, -kTextGap) : at - box.center();
    box.translate(*flat.text);
    if (box.right() > view.width() && at.x() < view.width()) { // move text at the right border to the left
        const QPointF shift(std::max(view.width() - box.right(), -box.left()), 0);
        flat.text = *flat.text + shift;
        box.translate(shift);
    }
    flat.textBox = box;
}

QRectF squareAround(QPointF middle, double half) {
    return {middle - QPointF(half, half), middle + QPointF(half, half)};
}

/// The obstacles of a text that avoids others: texts of previous marks, markers, and arrows.
QList<QRectF> obstaclesOf(std::size_t mark, const std::vector<SceneMark>& marks,
                          const std::vector<FlatMark>& flat) {
    constexpr double kStep = 4; // pixels along an arrow
    QList<QRectF> obstacles;
    for (std::size_t i = 0; i < flat.size(); ++i) {
        if (i < mark && flat[i].text)
            obstacles << flat[i].textBox;
        for (const QPointF& marker : flat[i].markers)
            obstacles << squareAround(marker, kMarkerRadius + 1);
        if (marks[i].arrows)
            for (const QLineF& line : flat[i].lines)
                for (double at = 0; at <= line.length(); at += kStep)
                    obstacles << squareAround(line.pointAt(at / std::max(line.length(), 1.0)), kStep / 2);
    }
    return obstacles;
}

/// Moves the text of a mark down until it covers no obstacle.
void moveTextDown(FlatMark& mark, const QList<QRectF>& obstacles) {
    const QRectF box = mark.textBox;
    for (bool isMoved = true; isMoved;) {
        isMoved = false;
        for (const QRectF& obstacle : obstacles)
            if (obstacle.intersects(mark.textBox)) {
                mark.textBox.moveTop(obstacle.bottom() + 1);
                isMoved = true;
            }
    }
    mark.text = *mark.text + (mark.textBox.topLeft() - box.topLeft());
    mark.bounds |= mark.textBox.adjusted(-2, -2, 2, 2); // including its outline
}

FlatMark flatten(const SceneMark& mark, const Projectors& projectors, QSizeF view, const QFont& font) {
    const Projector& projector = projectors.around;
    FlatMark flat;
    flat.area = projector.polygon(mark.area);
    flat.lines = mark.arrows ? flatArrows(mark.lines, projectors.within) : flatLines(mark.lines, projector);
    flat.dashed = flatLines(mark.dashedLines, projector);
    flat.markers = flatPoints(mark.markers, projector);
    if (mark.points)
        flat.points = flatPoints(*mark.points, projector);
    QPolygonF all = flat.area;
    for (const QList<QLineF>& lines : {flat.lines, flat.dashed})
        for (const QLineF& line : lines)
            all << line.p1() << line.p2();
    all << flat.markers << flat.points;
    if (const auto at = projector.point(mark.textAt); at && !mark.text.isEmpty()) {
        placeText(flat, mark, *at, view, font);
        all << flat.textBox.topLeft() << flat.textBox.bottomRight();
    }
    constexpr double kBorder = kRingRadius + 4; // room for markers, lines and outlines
    if (!all.isEmpty())
        flat.bounds = all.boundingRect().adjusted(-kBorder, -kBorder, kBorder, kBorder);
    return flat;
}

/// A premultiplied colour over another.
QRgb blended(QRgb source, QRgb under) {
    const unsigned seen = 255 - unsigned(qAlpha(source));
    const auto channel = [&](int a, int b) { return int(unsigned(a) + (unsigned(b) * seen + 127) / 255); };
    return qRgba(channel(qRed(source), qRed(under)), channel(qGreen(source), qGreen(under)),
                 channel(qBlue(source), qBlue(under)), channel(qAlpha(source), qAlpha(under)));
}

/// Blends dots into an image; 16,000 take a fifth of the time of QPainter::drawPoints() (2026-11-29).
/// @param corner position of the image in the view, device pixels
void blendPoints(QImage& image, QPoint corner, const QList<QPointF>& points, QColor colour, double ratio) {
    colour.setAlpha(kPointAlpha);
    const QRgb source = qPremultiply(colour.rgba());
    const int side = std::max(1, int(kPointSize * ratio));
    const QRect all = image.rect();
    for (const QPointF& point : points) {
        const QPoint middle = (point * ratio).toPoint() - corner;
        const QRect dot = QRect(middle - QPoint(side / 2, side / 2), QSize(side, side)) & all;
        for (int y = dot.top(); y <= dot.bottom(); ++y) {
            QRgb* const line = reinterpret_cast<QRgb*>(image.scanLine(y));
            for (int x = dot.left(); x <= dot.right(); ++x)
                line[x] = blended(source, line[x]);
        }
    }
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

PlacedImage drawn(const std::vector<SceneMark>& marks, const Projectors& projectors,
                  const std::optional<QLineF>& rubber, QSizeF view, const QFont& font, double ratio) {
    std::vector<FlatMark> flat;
    QRectF bounds;
    for (const SceneMark& mark : marks)
        flat.push_back(flatten(mark, projectors, view, font));
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (marks[i].textAvoidsOthers && flat[i].text)
            moveTextDown(flat[i], obstaclesOf(i, marks, flat));
        bounds |= flat[i].bounds;
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
    for (std::size_t i = 0; i < marks.size(); ++i) // dots are drawn below all lines and texts
        blendPoints(placed.image, placed.at, flat[i].points, marks[i].colour, ratio);
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
    const Projectors projectors{Projector(camera, view, kOutside), Projector(camera, view, -kInset)};
    QFont bold = font;
    bold.setBold(true);
    std::optional<QLineF> rubber;
    if (m_cursor && m_marks.rubberFrom && !m_marks.marks.empty())
        if (const auto from = projectors.around.point(*m_marks.rubberFrom))
            rubber = QLineF(*from, *m_cursor);
    m_image = drawn(m_marks.marks, projectors, rubber, view, bold, pixelRatio);
    m_isDrawn = true;
    m_camera = camera;
    m_view = view;
    m_ratio = pixelRatio;
    return m_image;
}

} // namespace scanloupe::gui
