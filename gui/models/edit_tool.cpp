// Turns the mouse over the views into regions of a selection.
#include "gui/models/edit_tool.h"

#include "gui/jobs/failure.h"
#include "gui/models/picked_point.h"
#include "gui/models/similar_points.h"
#include "gui/views/scene/camera_frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr double kCornerPixels = 2;  // between corners of a lasso
constexpr double kStrokeStep = 0.25; // radii between places of a stroke
constexpr double kDeepest = 3;       // radii that a stroke goes deeper at once
constexpr int kCircleCorners = 48;
constexpr double kSmallest = 1e-6, kLargest = 1e6; // radii
const QColor kMarkColour(255, 144, 30);            // as kChosenColour
const QColor kSourceColour(60, 190, 255);          // where the surface is taken from

SetOperation operationOf(Qt::KeyboardModifiers modifiers) {
    const bool adds = modifiers & Qt::ShiftModifier, subtracts = modifiers & Qt::ControlModifier;
    return adds && subtracts ? SetOperation::intersect
           : adds            ? SetOperation::add
           : subtracts       ? SetOperation::subtract
                             : SetOperation::replace;
}

} // namespace

bool isSculpting(EditToolKind kind) {
    return kind >= EditToolKind::fill;
}

EditTool::EditTool(QObject* parent)
    : QObject(parent), m_worker(
                           [this](const Similar& similar) {
                               if (similar.number != m_pick)
                                   return;
                               if (similar.region)
                                   emit selected(stepOf(similar.operation, *similar.region));
                               else
                                   emit failed(tr("No point of the scan lies there."), tr("Click upon it."));
                           },
                           [this](std::exception_ptr error) {
                               const Failure failure = failureOf(error, {});
                               emit failed(failure.sentence, failure.nextStep);
                           }) {
    qRegisterMetaType<SelectionStep>();
}

void EditTool::setKind(std::optional<EditToolKind> kind) {
    if (kind == m_kind)
        return;
    drop();
    m_kind = kind;
    m_cloneSource.reset();
    emit kindChanged();
    emit changed();
}

void EditTool::setRadius(double radius) {
    radius = std::clamp(radius, kSmallest, kLargest); // not for NaN
    if (!(radius > 0) || radius == m_radius)
        return;
    m_radius = radius;
    emit radiusChanged(radius);
    emit changed();
}

void EditTool::drop() {
    if (m_isDrawing && isBrush())
        emit strokeDropped();
    ++m_pick;
    m_corners.clear();
    m_outline.clear();
    clearStroke();
    m_emitted = 0;
    m_strokeEnd.reset();
    m_brush.reset();
    m_isDrawing = false;
    emit changed();
}

std::vector<SceneMark> EditTool::marks() const {
    std::vector<SceneMark> marks;
    if (!m_outline.empty()) {
        SceneMark outline;
        outline.lines = {m_outline};
        outline.lines.front().push_back(m_outline.front());
        outline.colour = kMarkColour;
        marks.push_back(std::move(outline));
    }
    if (isBrush() && m_brush) {
        marks.push_back(circleAt(*m_brush));
        if (m_mirror && isSculpting(*m_kind))
            marks.push_back(circleAt(m_mirror->mirrored(*m_brush)));
    }
    if (const auto place = clonedPlace()) {
        marks.push_back(circleAt(*place));
        marks.back().colour = kSourceColour;
    }
    return marks;
}

SceneMark EditTool::circleAt(Vec3d place) const {
    SceneMark circle;
    circle.lines.emplace_back();
    for (int i = 0; i <= kCircleCorners; ++i) {
        const double angle = 2 * std::numbers::pi * i / kCircleCorners;
        circle.lines.front().push_back(place + m_brushRight * (m_radius * std::cos(angle)) +
                                       m_brushDown * (m_radius * std::sin(angle)));
    }
    circle.colour = kMarkColour;
    return circle;
}

std::optional<Vec3d> EditTool::clonedPlace() const {
    if (m_kind != EditToolKind::clone || !m_cloneSource)
        return std::nullopt;
    return m_isDrawing && m_brush ? *m_brush + m_cloneFrom : *m_cloneSource;
}

void EditTool::setMirror(const std::optional<MirrorPlane>& mirror) {
    if (mirror == m_mirror)
        return;
    drop(); // a stroke has one
    m_mirror = mirror;
    emit changed();
}

Vec3d EditTool::placeOf(const ToolEvent& event) const {
    const auto hit = event.hit();
    const bool isOnScan = hit && isFinite(hit->position);
    const Vec3d place =
        isOnScan ? hit->position : event.camera.pointAtTargetDepth(event.pixel, event.viewport);
    if (m_stroke.empty())
        return place;
    const CameraFrame frame(event.camera.camera(), event.viewport);
    if (m_kind == EditToolKind::fill || m_kind == EditToolKind::carve ||
        m_kind == EditToolKind::clone) // not upon what it has just made
        return frame.pointAt(event.pixel, dot(frame.forward, m_stroke.front() - frame.eye));
    const double deeper = dot(frame.forward, place - m_stroke.back());
    if (isOnScan && deeper <= kDeepest * m_radius)
        return place;
    // what lies behind an edge, or behind what was just erased, is not part of the stroke
    return frame.pointAt(event.pixel, dot(frame.forward, m_stroke.back() - frame.eye));
}

void EditTool::showBrush(const ToolEvent& event) {
    const CameraFrame frame(event.camera.camera(), event.viewport);
    m_brushRight = frame.right;
    m_brushDown = frame.down;
    m_brush = placeOf(event);
    emit changed();
}

void EditTool::hover(const ToolEvent& event) {
    if (isBrush())
        return showBrush(event);
    if (m_kind != EditToolKind::polygon || m_corners.empty() || dropIfMoved(event))
        return;
    m_corners.back() = event.pixel;
    m_outline.back() = event.camera.pointAtTargetDepth(event.pixel, event.viewport);
    emit changed();
}

void EditTool::press(const ToolEvent& event) {
    if (isBrush())
        return beginStroke(event);
    if (!m_corners.empty())
        dropIfMoved(event);
    const bool isFirst = m_corners.empty();
    if (isFirst) {
        m_operation = operationOf(event.modifiers);
        m_camera = event.camera.camera();
        m_viewport = event.viewport;
    }
    m_isDrawing = true;
    const Vec3d place = event.camera.pointAtTargetDepth(event.pixel, event.viewport);
    if (m_kind == EditToolKind::rectangle) {
        m_corners.assign(4, event.pixel);
        m_outline.assign(4, place);
    } else if (m_kind == EditToolKind::lasso || isFirst) {
        m_corners.assign(m_kind == EditToolKind::polygon ? 2 : 1, event.pixel);
        m_outline.assign(m_corners.size(), place);
    } else {
        m_corners.back() = event.pixel;
        m_outline.back() = place;
    }
    emit changed();
}

void EditTool::beginStroke(const ToolEvent& event) {
    m_strokeRadius = m_radius;
    m_isOpposite = event.modifiers & Qt::ControlModifier;
    m_operation = m_kind == EditToolKind::brush && m_isOpposite ? SetOperation::subtract : SetOperation::add;
    clearStroke();
    m_emitted = 0;
    m_plane.reset();
    if (m_kind == EditToolKind::flatten) {
        const CameraFrame frame(event.camera.camera(), event.viewport);
        const double depth = dot(frame.forward, placeOf(event) - frame.eye);
        m_plane = planeAround(event, m_radius / frame.metresPerPixel(depth));
        if (!m_plane)
            return emit failed(tr("There is too little surface around that place to tell its plane."),
                               tr("Begin the stroke at the edge of the hole, or take a larger radius."));
    }
    if (m_kind == EditToolKind::clone) {
        const auto hit = event.hit();
        const bool isOnSurface = hit && hit->kind != PrimitiveKind::none && isFinite(hit->position);
        if (m_isOpposite && isOnSurface) {
            m_cloneSource = hit->position;
            return emit changed();
        }
        if (m_isOpposite || !m_cloneSource)
            return emit failed(tr("The brush does not know yet which place it copies."),
                               tr("Click that place with Ctrl held down, upon the surface."));
        m_cloneFrom = *m_cloneSource - placeOf(event);
    }
    if (event.modifiers & Qt::ShiftModifier && m_strokeEnd)
        goOn(*m_strokeEnd, event.pressure);
    m_isDrawing = true;
    goOn(placeOf(event), event.pressure);
    showBrush(event);
    emitStroke(false);
}

std::optional<SculptTool> EditTool::sculptTool() const {
    if (!m_kind || !isSculpting(*m_kind))
        return std::nullopt;
    switch (*m_kind) {
    case EditToolKind::fill:
        return m_isOpposite ? SculptTool::carve : SculptTool::fill;
    case EditToolKind::carve:
        return m_isOpposite ? SculptTool::fill : SculptTool::carve;
    case EditToolKind::raise:
        return m_isOpposite ? SculptTool::lower : SculptTool::raise;
    case EditToolKind::smooth:
        return SculptTool::smooth;
    case EditToolKind::clone:
        return SculptTool::clone;
    default:
        return SculptTool::flatten;
    }
}

bool EditTool::isBrush() const {
    return m_kind == EditToolKind::brush || m_kind == EditToolKind::eraser ||
           (m_kind && isSculpting(*m_kind));
}

void EditTool::drag(const ToolEvent& event) {
    if (!m_isDrawing)
        return;
    if (isBrush()) {
        const Vec3d place = placeOf(event);
        if (norm(place - m_stroke.back()) >= kStrokeStep * m_strokeRadius) {
            goOn(place, event.pressure);
            emitStroke(false);
        }
        return showBrush(event);
    }
    if (dropIfMoved(event))
        return;
    const auto placeAt = [&](QPointF pixel) {
        return event.camera.pointAtTargetDepth(pixel, event.viewport);
    };
    if (m_kind == EditToolKind::rectangle) {
        const QPointF from = m_corners.front(), to = event.pixel;
        m_corners = {from, {to.x(), from.y()}, to, {from.x(), to.y()}};
        std::ranges::transform(m_corners, m_outline.begin(), placeAt);
    } else if (m_kind == EditToolKind::lasso) {
        if ((event.pixel - m_corners.back()).manhattanLength() < kCornerPixels)
            return;
        m_corners.push_back(event.pixel);
        m_outline.push_back(placeAt(event.pixel));
    } else if (m_kind == EditToolKind::polygon) {
        m_corners.back() = event.pixel;
        m_outline.back() = placeAt(event.pixel);
    }
    emit changed();
}

void EditTool::release(const ToolEvent& event) {
    if (!std::exchange(m_isDrawing, false))
        return;
    switch (*m_kind) {
    case EditToolKind::rectangle:
    case EditToolKind::lasso:
        return endOutline();
    case EditToolKind::polygon: // the corner is set; another one follows the cursor
        m_corners.push_back(event.pixel);
        m_outline.push_back(m_outline.back());
        return emit changed();
    case EditToolKind::connected:
    case EditToolKind::similar:
        break;
    default: // brushes
        m_strokeEnd = m_stroke.back();
        emitStroke(true);
        clearStroke();
        return;
    }
    m_corners.clear();
    m_outline.clear();
    emit changed();
    const auto hit = event.hit();
    if (!hit || hit->kind == PrimitiveKind::none || !isFinite(hit->position))
        return emit failed(tr("Nothing lies there."), tr("Click upon the scan."));
    if (m_kind == EditToolKind::connected)
        emit selected(stepOf(m_operation, ConnectedRegion{hit->position, 1.5 * m_spacing}));
    else
        selectSimilar(*hit, m_operation);
}

void EditTool::selectSimilar(const Hit& hit, SetOperation operation) {
    const int number = ++m_pick;
    m_worker.run([hit, operation, number](const std::stop_token& stop) {
        Similar similar{number, {}, operation};
        if (const auto point = hit.snapshot ? pickedPoint(hit, *hit.snapshot, stop) : std::nullopt)
            similar.region = similarTo(*hit.snapshot->cloud, *point, stop);
        return similar;
    });
}

void EditTool::goOn(Vec3d place, double pressure) {
    m_stroke.push_back(place);
    m_pressures.push_back(std::clamp(pressure, 0.0, 1.0));
}

void EditTool::clearStroke() {
    m_stroke.clear();
    m_pressures.clear();
}

StrokeRegion EditTool::strokeFrom(std::size_t first) const {
    StrokeRegion stroke{{m_stroke.begin() + std::ptrdiff_t(first), m_stroke.end()}, m_strokeRadius};
    if (m_kind && isSculpting(*m_kind) && std::ranges::any_of(m_pressures, [](double p) { return p < 1; }))
        stroke.pressures.assign(m_pressures.begin() + std::ptrdiff_t(first), m_pressures.end());
    return stroke;
}

void EditTool::emitStroke(bool isDone) {
    const std::size_t from = m_emitted > 0 ? m_emitted - 1 : 0; // segments meet
    StrokeRegion added = strokeFrom(from);
    added.continues = m_emitted > 0;
    m_emitted = m_stroke.size();
    std::optional<SelectionStep> whole;
    if (isDone)
        whole = stepOf(m_operation, strokeFrom(0));
    emit stroked(stepOf(m_operation, std::move(added)), whole);
}

bool EditTool::dropIfMoved(const ToolEvent& event) {
    if (event.camera.camera() == m_camera && event.viewport == m_viewport)
        return false;
    drop();
    emit failed(tr("The view has moved since the outline was begun, whose corners are places in it."),
                tr("Begin it anew."));
    return true;
}

void EditTool::endOutline() {
    OutlineRegion region;
    region.camera = m_camera;
    region.width = std::max(1, int(std::lround(m_viewport.width())));
    region.height = std::max(1, int(std::lround(m_viewport.height())));
    for (const QPointF corner : m_corners)
        region.corners.push_back({corner.x(), corner.y()});
    region.visibleOnly = m_visibleOnly;
    region.spacing = m_visibleOnly ? m_spacing : 0;
    m_corners.clear();
    m_outline.clear();
    emit changed();
    if (region.corners.size() >= 3)
        emit selected(stepOf(m_operation, std::move(region)));
}

bool EditTool::doubleClick() {
    if (m_kind != EditToolKind::polygon || m_corners.empty())
        return false;
    m_corners.pop_back(); // the one that follows the cursor
    endOutline();
    return true;
}

void EditTool::leave() {
    m_brush.reset();
    emit changed();
}

bool EditTool::key(int key) {
    switch (key) {
    case Qt::Key_Escape:
        if (m_corners.empty() && !m_isDrawing)
            setKind(std::nullopt);
        else
            drop();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_kind != EditToolKind::polygon || m_corners.empty())
            return false;
        m_corners.pop_back();
        endOutline();
        return true;
    case Qt::Key_Backspace:
        if (m_kind != EditToolKind::polygon || m_corners.size() < 2)
            return false;
        m_corners.erase(m_corners.end() - 2);
        m_outline.erase(m_outline.end() - 2);
        if (m_corners.size() < 2)
            drop();
        emit changed();
        return true;
    default:
        return false;
    }
}

} // namespace scanloupe::gui
