// Arranges the docks of the main window, and shows only its views during a presentation.
#include "gui/app/window_layout.h"

#include "gui/base/settings.h"
#include "gui/controllers/window_context.h"
#include "gui/views/view_area.h"

#include <QAction>
#include <QDockWidget>
#include <QEvent>
#include <QJsonDocument>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>
#include <map>
#include <utility>

namespace scanloupe::gui {

namespace {

/// Windows narrower than this, in pixels, stack the timings dock below the data dock to leave room for the
/// views.
constexpr int kNarrow = 1000;

} // namespace

WindowLayout::WindowLayout(QMainWindow& window, ViewArea& views, QWidget& bars)
    : QObject(&window), m_window(window), m_views(views), m_bars(bars) {}

void WindowLayout::addDocks(const std::vector<Dock>& docks) {
    std::map<Qt::DockWidgetArea, QDockWidget*> first, last; // of each area
    for (const Dock& row : docks) {
        auto* added = new QDockWidget(row.title, &m_window);
        added->setObjectName(row.name);
        added->setWidget(row.content);
        m_window.addDockWidget(row.area, added);
        first.try_emplace(row.area, added);
        if (QDockWidget* before = std::exchange(last[row.area], added))
            m_window.tabifyDockWidget(before, added);
    }
    for (const auto& [area, inFront] : first)
        inFront->raise();
    for (const Dock& row : docks)
        if (!row.isOpen)
            dock(row.name)->hide();
}

QDockWidget* WindowLayout::dock(const char* name) const {
    return m_window.findChild<QDockWidget*>(QString::fromLatin1(name));
}

void WindowLayout::setDataDock(QDockWidget* dock) {
    m_dataDock = dock;
    dock->installEventFilter(this);
}

void WindowLayout::buildPresentationAction(QMenu* view) {
    m_present = addMenuTool(m_window, view, nullptr, tr("Presentatio&n Mode"), Qt::Key_F11,
                            [this] { setPresenting(!m_before.has_value()); });
    m_present->setCheckable(true);
}

void WindowLayout::fit() {
    const bool narrow = m_window.width() < kNarrow;
    m_window.setCorner(Qt::BottomLeftCorner, narrow ? Qt::BottomDockWidgetArea : Qt::LeftDockWidgetArea);
    if (std::exchange(m_isNarrow, narrow) && !narrow)
        // restores the width that the narrow window took
        m_window.resizeDocks({m_dataDock}, {m_dataWidth}, Qt::Horizontal);
}

bool WindowLayout::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && !m_isNarrow && m_window.width() >= kNarrow)
        m_dataWidth = m_dataDock->width();
    return QObject::eventFilter(watched, event);
}

void WindowLayout::showDock(const char* name) {
    dock(name)->show();
    dock(name)->raise();
}

void WindowLayout::showDockOfTool(const char* name) {
    if (!m_before) // a presentation shows only the views
        showDock(name);
    if (!m_views.isAncestorOf(m_window.focusWidget())) // the views handle Enter, Backspace and Esc
        focusView();
}

void WindowLayout::focusView() {
    if (!m_views.current()->widget()->isHidden())
        return m_views.current()->widget()->setFocus();
    for (ScanView* view : m_views.views())
        if (!view->widget()->isHidden())
            return view->widget()->setFocus();
}

void WindowLayout::setMeasuring(bool isMeasuring) {
    m_isMeasuring = isMeasuring;
    showKeys();
}

void WindowLayout::showKeys() {
    QList<QKeySequence> keys{Qt::Key_F11};
    if (m_before && !m_isMeasuring)
        keys << Qt::Key_Escape;
    m_present->setShortcuts(keys);
}

void WindowLayout::setPresenting(bool presenting) {
    if (presenting == m_before.has_value())
        return;
    m_present->setChecked(presenting);
    if (presenting) {
        emit presentationBegins();
        m_before = {m_window.saveState(), m_window.saveGeometry(), shownPanels(), m_window.windowState(),
                    m_dataWidth};
        showKeys();
        for (QDockWidget* dock : m_window.findChildren<QDockWidget*>())
            dock->hide();
        for (QToolBar* bar : m_window.findChildren<QToolBar*>())
            bar->hide();
        m_bars.hide();
        m_window.menuBar()->hide();
        m_window.statusBar()->hide();
        m_window.setWindowState(m_window.windowState() | Qt::WindowFullScreen);
        m_views.current()->widget()->setFocus();
        return;
    }
    const Before before = *std::exchange(m_before, std::nullopt);
    showKeys();
    m_window.setWindowState(before.state);
    m_window.menuBar()->show();
    m_window.statusBar()->show();
    m_bars.show();
    m_window.restoreState(before.docks);
    showPanels(before.panels);      // the panels of a project that was opened during the presentation
    m_dataWidth = before.dataWidth; // the docks were restored while the window is still as wide as the screen
}

QJsonArray WindowLayout::shownPanels() const {
    if (m_before)
        return m_before->panels;
    QJsonArray names;
    for (const QDockWidget* dock : m_window.findChildren<QDockWidget*>())
        if (!dock->isHidden())
            names.append(dock->objectName());
    return names;
}

void WindowLayout::showPanels(const QJsonArray& names) {
    if (m_before) {
        m_before->panels = names;
        return;
    }
    for (QDockWidget* dock : m_window.findChildren<QDockWidget*>())
        dock->setVisible(names.contains(dock->objectName()));
}

void WindowLayout::save() {
    // a presentation covers the screen until the window manager has responded: keep the layout before it
    settings::geometry.set(m_before ? m_before->geometry : m_window.saveGeometry());
    settings::layout.set(m_before ? m_before->docks : m_window.saveState());
    setPresenting(false);
    settings::views.set(QJsonDocument(m_views.state()).toJson(QJsonDocument::Compact));
}

void WindowLayout::restore() {
    m_window.restoreGeometry(settings::geometry.value());
    m_window.restoreState(settings::layout.value());
    m_views.restore(QJsonDocument::fromJson(settings::views.value()).object());
    fit();
}

} // namespace scanloupe::gui
