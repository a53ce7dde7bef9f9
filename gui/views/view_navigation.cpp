// Translates mouse and keyboard events of a view into camera moves and picks.
#include "gui/views/view_navigation.h"

#include "gui/jobs/failure.h"
#include "gui/views/view_commands.h"

#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyleHints>
#include <QTabletEvent>
#include <QWheelEvent>
#include <QWidget>
#include <cmath>

namespace scanloupe::gui {

namespace {

constexpr int kWheelRestMs = 250;       // ms without a wheel event after which zooming has ended
constexpr double kZoomPerNotch = 0.8;   // factor of the distance
constexpr double kNotch = 120;          // wheel angle, eighths of a degree
constexpr double kArrowPart = 1.0 / 24; // part of half a turn

} // namespace

QList<NavigationGesture> navigationGestures() {
    const auto tr = [](const char* text) { return ViewNavigation::tr(text); };
    return {{tr("Drag with the left button"), tr("Orbit about the point under the cursor")},
            {tr("Drag with the right button, or Shift and the left"), tr("Pan")},
            {tr("Wheel"), tr("Zoom to the point under the cursor")},
            {tr("Drag with the middle button, while a tool selects"), tr("Orbit")},
            {tr("Click"), tr("Show the values of a point")},
            {tr("Right click, or the menu key"), tr("Menu of the view and of the point under the cursor")},
            {tr("Double-click"), tr("Fill the window with the view, and back")},
            {tr("Arrow keys"), tr("Orbit by steps")},
            {tr("Home"), tr("Zoom to fit, like F")}};
}

ViewNavigation::ViewNavigation(ScanView& view, LinkedCamera& camera)
    : QObject(view.widget()), m_view(view), m_camera(camera) {
    view.widget()->installEventFilter(this);
    view.widget()->setFocusPolicy(Qt::StrongFocus);
    m_wheelRest.setSingleShot(true);
    m_wheelRest.setInterval(kWheelRestMs);
    connect(&m_wheelRest, &QTimer::timeout, this, [this] {
        if (m_drag == Drag::none)
            m_camera.endMove();
    });
}

QSizeF ViewNavigation::viewport() const {
    return m_view.widget()->size();
}

double ViewNavigation::aspect() const {
    const QSizeF size = viewport();
    return size.isEmpty() ? 1 : size.width() / size.height();
}

std::optional<Hit> ViewNavigation::pick(QPointF pixel) {
    try {
        return m_view.pick(pixel);
    } catch (...) { // an exception that leaves a Qt event handler ends the program
        const Failure failure = failureOf(std::current_exception(), tr("Close other programs."));
        emit failed(failure.sentence, failure.nextStep);
        return std::nullopt;
    }
}

Vec3d ViewNavigation::pointUnder(QPointF pixel) {
    const auto hit = pick(pixel);
    return hit && isFinite(hit->position) ? hit->position : m_camera.pointAtTargetDepth(pixel, viewport());
}

bool ViewNavigation::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
    case QEvent::TabletPress:
    case QEvent::TabletMove:
        m_pressure = static_cast<QTabletEvent*>(event)->pressure();
        return false; // mouse events report the same
    case QEvent::TabletRelease:
        m_pressure = 1;
        return false;
    case QEvent::MouseButtonPress:
        press(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseMove:
        move(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseButtonRelease:
        release(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseButtonDblClick:
        if (static_cast<QMouseEvent*>(event)->button() != Qt::LeftButton)
            return true;
        if (!hasTool())
            emit doubleClicked();
        else if (!m_tool->doubleClick())
            press(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::Leave:
        if (hasTool())
            m_tool->leave();
        emit hovered(std::nullopt);
        break;
    case QEvent::Wheel:
        wheel(*static_cast<QWheelEvent*>(event));
        return true;
    case QEvent::ContextMenu: // the mouse sends it with the press, which may begin a drag
        if (static_cast<QContextMenuEvent*>(event)->reason() == QContextMenuEvent::Keyboard)
            requestMenu(QRectF(m_view.widget()->rect()).center());
        return true;
    case QEvent::KeyPress:
        if (key(*static_cast<QKeyEvent*>(event)))
            return true;
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

void ViewNavigation::press(const QMouseEvent& event) {
    m_view.widget()->setFocus(Qt::MouseFocusReason);
    if (m_drag != Drag::none) // a second button has no effect
        return;
    if (event.button() == Qt::LeftButton && hasTool()) {
        m_drag = Drag::tool;
        m_button = event.button();
        return m_tool->press(toolEvent(event.position(), event.modifiers()));
    }
    if (event.button() == Qt::MiddleButton && hasTool())
        m_drag = Drag::orbit;
    else if (event.button() == Qt::MiddleButton || event.button() == Qt::RightButton ||
             (event.button() == Qt::LeftButton && event.modifiers() & Qt::ShiftModifier))
        m_drag = Drag::pan;
    else if (event.button() == Qt::LeftButton && m_handles &&
             m_handles->grab(event.position(), m_camera, viewport()))
        m_drag = Drag::handle;
    else if (event.button() == Qt::LeftButton)
        m_drag = Drag::orbit;
    else
        return;
    m_dragged = false;
    m_button = event.button();
    m_pressed = m_last = event.position();
}

void ViewNavigation::move(const QMouseEvent& event) {
    if (m_drag == Drag::tool)
        return m_tool->drag(toolEvent(event.position(), event.modifiers()));
    if (m_drag == Drag::none && hasTool()) {
        m_tool->hover(toolEvent(event.position(), event.modifiers()));
        emit hovered(event.position());
        return;
    }
    if (m_drag == Drag::none) {
        showHover(event.position());
        emit hovered(event.position());
        return;
    }
    if (m_drag == Drag::handle)
        return m_handles->drag(event.position(), m_camera, viewport());
    if (!m_dragged) {
        const QPointF way = event.position() - m_pressed;
        if (way.manhattanLength() < QGuiApplication::styleHints()->startDragDistance() / 2.0)
            return;
        m_dragged = true;
        m_anchor = pointUnder(m_pressed);
        m_camera.beginMove();
    }
    const QPointF step = event.position() - m_last;
    m_last = event.position();
    if (m_drag == Drag::orbit)
        m_camera.orbit(m_anchor, step, viewport());
    else
        m_camera.pan(m_anchor, step, viewport());
}

void ViewNavigation::release(const QMouseEvent& event) {
    const bool ends = m_drag != Drag::none &&
                      (event.buttons() & (Qt::LeftButton | Qt::MiddleButton | Qt::RightButton)) == 0;
    if (!ends)
        return;
    if (m_drag == Drag::handle)
        return dropHandle(true);
    if (m_drag == Drag::tool) {
        m_drag = Drag::none;
        return m_tool->release(toolEvent(event.position(), event.modifiers()));
    }
    const bool click = !m_dragged && m_drag == Drag::orbit && m_button == Qt::LeftButton;
    m_drag = Drag::none;
    m_camera.endMove();
    if (!m_dragged && m_button == Qt::RightButton)
        return requestMenu(event.position());
    if (!click)
        return;
    auto hit = pick(event.position());
    if (const auto onLine =
            m_handles ? m_handles->snap(event.position(), m_camera, viewport()) : std::nullopt) {
        if (!hit)
            hit = Hit{PrimitiveKind::none, 0, *onLine};
        hit->onLine = onLine;
    }
    if (hit)
        emit picked(*hit);
    else
        emit nothingPicked();
}

void ViewNavigation::dropHandle(bool isKept) {
    m_drag = Drag::none;
    m_handles->drop(isKept);
}

ToolEvent ViewNavigation::toolEvent(QPointF pixel, Qt::KeyboardModifiers modifiers) {
    return {pixel, viewport(), m_camera, modifiers, [this](QPointF at) { return pick(at); }, m_pressure};
}

void ViewNavigation::showHover(QPointF pixel) {
    const bool isOver = m_handles && m_handles->hover(pixel, m_camera, viewport());
    if (isOver == m_isOverHandle)
        return;
    m_isOverHandle = isOver;
    if (isOver)
        m_view.widget()->setCursor(Qt::PointingHandCursor);
    else
        m_view.widget()->unsetCursor();
}

void ViewNavigation::requestMenu(QPointF pixel) {
    const auto hit = pick(pixel);
    emit menuRequested(m_view.widget()->mapToGlobal(pixel.toPoint()), hit);
}

void ViewNavigation::wheel(const QWheelEvent& event) {
    const double turned = event.angleDelta().y();
    if (turned == 0)
        return;
    m_view.widget()->setFocus(Qt::MouseFocusReason); // the view gets the keyboard focus, too
    // Successive wheel events at one position keep the anchor of the first one. Picking again could return
    // another point, because the displayed picture is older than the camera.
    if (!m_wheelRest.isActive() || (event.position() - m_wheelAt).manhattanLength() > 2) {
        m_wheelAt = event.position();
        m_anchor = pointUnder(m_wheelAt);
    }
    m_camera.beginMove();
    m_camera.zoom(m_anchor, std::pow(kZoomPerNotch, turned / kNotch));
    m_wheelRest.start();
}

void ViewNavigation::orbitTarget(QPointF pixels) {
    const QSizeF size = viewport();
    const Vec3d target = m_camera.camera().target;
    m_camera.orbit(target, {pixels.x() * size.width(), pixels.y() * size.height()}, size);
}

bool ViewNavigation::key(const QKeyEvent& event) {
    if (event.key() == Qt::Key_Escape && m_drag == Drag::handle) {
        dropHandle(false);
        return true;
    }
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    if (hasTool() && m_tool->key(event.key()))
        return true;
    if (const auto command = commandOf(event.key())) {
        execute(*command, m_camera, aspect());
        return true;
    }
    switch (event.key()) {
    case Qt::Key_Home:
        m_camera.fit(aspect());
        return true;
    case Qt::Key_Left:
        orbitTarget({-kArrowPart, 0});
        return true;
    case Qt::Key_Right:
        orbitTarget({kArrowPart, 0});
        return true;
    case Qt::Key_Up:
        orbitTarget({0, -kArrowPart});
        return true;
    case Qt::Key_Down:
        orbitTarget({0, kArrowPart});
        return true;
    default:
        return false;
    }
}

} // namespace scanloupe::gui
