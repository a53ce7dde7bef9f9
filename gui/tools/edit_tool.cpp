// Turns the mouse over the views into regions of a selection.
#include "gui/tools/edit_tool.h"

#include "engine/edit/sculpt_brushes.h"
#include "engine/results/snapshot.h"
#include "gui/jobs/failure.h"
#include "gui/tools/picked_point.h"
#include "gui/tools/similar_points.h"
#include "gui/views/scene/camera_frame.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr double kCornerPixels = 2;                // minimum distance between corners of a lasso
constexpr double kStrokeStep = 0.25;               // distance between places of a stroke, in radii
constexpr double kDeepest = 3;                     // maximum step of a stroke in depth, in radii
constexpr double kSmallest = 1e-6, kLargest = 1e6; // radii

SetOperation operationOf(Qt::KeyboardModifiers modifiers) {
    const bool adds = modifiers & Qt::ShiftModifier, subtracts = modifiers & Qt::ControlModifier;
    return adds && subtracts ? SetOperation::intersect
           : adds            ? SetOperation::add
           : subtracts       ? SetOperation::subtract
                             : SetOperation::replace;
}

} // namespace

std::optional<SculptTool> sculptToolOf(EditToolKind kind) {
    if (kind < EditToolKind::firstSculpting)
        return std::nullopt;
    return SculptTool(int(kind) - int(EditToolKind::firstSculpting));
}

EditTool::EditTool(QObject* parent)
    : QObject(parent),
      m_worker(
          [this](const Similar& similar) {
              if (similar.number != m_pick)
                  return;
              if (similar.region)
                  emit selected(stepOf(similar.operation, *similar.region));
              else
                  emit failed(tr("There is no scan point here."), tr("Click a point of the scan."));
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
    radius = std::clamp(radius, kSmallest, kLargest); // NaN stays NaN, which is rejected below
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
    m_stroke.clear();
    m_strokeEnd.reset();
    m_brush.reset();
    m_isDrawing = false;
    emit changed();
}

void EditTool::setMirror(const std::optional<MirrorPlane>& mirror) {
    if (mirror == m_mirror)
        return;
    drop(); // a stroke stores its radius
    m_mirror = mirror;
    emit changed();
}

Vec3d EditTool::placeOf(const ToolEvent& event) const {
    const auto hit = event.hit();
    const bool isOnScan = hit && isFinite(hit->position);
    const Vec3d place =
        isOnScan ? hit->position : event.camera.pointAtTargetDepth(event.pixel, event.viewport);
    if (m_stroke.isEmpty())
        return place;
    const CameraFrame frame(event.camera.camera(), event.viewport);
    // at the depth of the stroke's start, so that a stroke does not pile up on its own surface
    if (const auto tool = sculptTool(); tool && rowOf(*tool).keepsDepth)
        return frame.pointAt(event.pixel, dot(frame.forward, m_stroke.front() - frame.eye));
    const double deeper = dot(frame.forward, place - m_stroke.back());
    if (isOnScan && deeper <= kDeepest * m_radius)
        return place;
    // points behind an edge, or behind points that were just erased, are not part of the stroke
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
    m_isOpposite = event.modifiers & Qt::ControlModifier;
    m_operation = m_kind == EditToolKind::brush && m_isOpposite ? SetOperation::subtract : SetOperation::add;
    m_stroke.begin(m_radius);
    m_plane.reset();
    if (const auto tool = sculptTool(); tool && traitsOf(*tool).usesPlane) {
        const CameraFrame frame(event.camera.camera(), event.viewport);
        const double depth = dot(frame.forward, placeOf(event) - frame.eye);
        m_plane = planeAround(event, m_radius / frame.metresPerPixel(depth));
        if (!m_plane)
            return emit failed(tr("There is too little surface around that point to determine a plane."),
                               tr("Begin the stroke at the edge of the hole, or use a larger radius."));
    }
    if (needsSource()) {
        const auto hit = event.hit();
        const bool isOnSurface = hit && hit->kind != PrimitiveKind::none && isFinite(hit->position);
        if (m_isOpposite && isOnSurface) {
            m_cloneSource = hit->position;
            return emit changed();
        }
        if (m_isOpposite || !m_cloneSource)
            return emit failed(tr("The clone brush has no source yet."),
                               tr("Ctrl+click the surface to copy from."));
        m_cloneFrom = *m_cloneSource - placeOf(event);
    }
    if (event.modifiers & Qt::ShiftModifier && m_strokeEnd)
        m_stroke.append(*m_strokeEnd, event.pressure);
    m_isDrawing = true;
    m_stroke.append(placeOf(event), event.pressure);
    showBrush(event);
    emitStroke(false);
}

std::optional<SculptTool> EditTool::sculptTool() const {
    const auto tool = m_kind ? sculptToolOf(*m_kind) : std::nullopt;
    return tool && m_isOpposite ? rowOf(*tool).opposite : tool;
}

bool EditTool::needsSource() const {
    const auto tool = m_kind ? sculptToolOf(*m_kind) : std::nullopt;
    return tool && rowOf(*tool).needsSource;
}

bool EditTool::isBrush() const {
    return m_kind &&
           (*m_kind == EditToolKind::brush || *m_kind == EditToolKind::eraser || sculptToolOf(*m_kind));
}

void EditTool::drag(const ToolEvent& event) {
    if (!m_isDrawing)
        return;
    if (isBrush()) {
        const Vec3d place = placeOf(event);
        if (norm(place - m_stroke.back()) >= kStrokeStep * m_stroke.radius()) {
            m_stroke.append(place, event.pressure);
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
    case EditToolKind::polygon: // sets the corner; a new one follows the cursor
        m_corners.push_back(event.pixel);
        m_outline.push_back(m_outline.back());
        return emit changed();
    case EditToolKind::connected:
    case EditToolKind::similar:
        break;
    default: // brushes
        m_strokeEnd = m_stroke.back();
        emitStroke(true);
        m_stroke.clear();
        return;
    }
    m_corners.clear();
    m_outline.clear();
    emit changed();
    const auto hit = event.hit();
    if (!hit || hit->kind == PrimitiveKind::none || !isFinite(hit->position))
        return emit failed(tr("There is nothing here."), tr("Click a point of the scan."));
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

void EditTool::emitStroke(bool isDone) {
    const bool withPressures = sculptTool().has_value();
    StrokeRegion added = m_stroke.takeAdded(withPressures);
    std::optional<SelectionStep> whole;
    if (isDone)
        whole = stepOf(m_operation, m_stroke.whole(withPressures));
    emit stroked(stepOf(m_operation, std::move(added)), whole);
}

bool EditTool::dropIfMoved(const ToolEvent& event) {
    if (event.camera.camera() == m_camera && event.viewport == m_viewport)
        return false;
    drop();
    emit failed(tr("The view moved, so the outline was discarded."), tr("Draw the outline again."));
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
    m_corners.pop_back(); // removes the corner that follows the cursor
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
