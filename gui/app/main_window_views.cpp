// The views in the window: their layouts, windows of their own, and the presentation.
#include "gui/app/main_window.h"
#include "gui/app/view_area.h"
#include "gui/controls/message_bar.h"
#include "gui/panels/player_bar.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>

namespace scanloupe::gui {

void MainWindow::buildLayoutActions(QMenu* view) {
    auto* layouts = view->addMenu(tr("La&yout"));
    layouts->setObjectName(QStringLiteral("layouts"));
    auto* group = new QActionGroup(this);
    const std::tuple<ViewLayout, QString, QString> choices[] = {
        {ViewLayout::beside, tr("Side by &Side"), tr("Ctrl+1")},
        {ViewLayout::stacked, tr("One &above the Other"), tr("Ctrl+2")},
        {ViewLayout::oneLarge, tr("One &Large, Two Small"), tr("Ctrl+3")},
        {ViewLayout::alone, tr("One Al&one"), tr("Ctrl+4")}};
    for (const auto& [layout, text, key] : choices) {
        QAction* entry = group->addAction(addTool(layouts, nullptr, text, QKeySequence(key),
                                                  [this, layout = layout] { m_views->arrange(layout); }));
        entry->setCheckable(true);
        entry->setData(int(layout));
    }
    layouts->addSeparator();
    const QString keys[] = {tr("Alt+1"), tr("Alt+2"), tr("Alt+3")};
    for (std::size_t i = 0; i < std::size(keys); ++i) {
        ScanView* const target = m_views->views()[i];
        addTool(layouts, nullptr, tr("Go to %1").arg(target->title()), QKeySequence(keys[i]),
                [this, target] { m_views->choose(target); });
    }
    layouts->addSeparator();
    QAction* own = addTool(layouts, nullptr, tr("This View in Its Own &Window"), tr("Ctrl+Shift+W"), [this] {
        m_views->setDetached(m_views->current(), !m_views->isDetached(m_views->current()));
    });
    own->setCheckable(true);
    const auto showState = [=, this] {
        for (QAction* entry : group->actions())
            entry->setChecked(entry->data().toInt() == int(m_views->viewLayout()));
        own->setChecked(m_views->isDetached(m_views->current()));
    };
    connect(m_views, &ViewArea::arranged, this, showState);
    connect(m_views, &ViewArea::currentChanged, this, showState);
    connect(m_views, &ViewArea::detached, this, [this](QWidget* window) { window->addActions(actions()); });
    connect(m_views, &ViewArea::reshaped, this, [this] {
        if (m_automaticCamera && m_camera.camera() == *m_automaticCamera)
            showAll();
    });
    showState();

    m_presentAction = addTool(view, nullptr, tr("P&resentation"), Qt::Key_F11,
                              [this] { setPresenting(!m_beforePresentation.has_value()); });
    m_presentAction->setCheckable(true);
}

void MainWindow::setPresenting(bool presenting) {
    if (presenting == m_beforePresentation.has_value())
        return;
    m_presentAction->setChecked(presenting);
    m_presentAction->setShortcuts(presenting ? QList<QKeySequence>{Qt::Key_F11, Qt::Key_Escape}
                                             : QList<QKeySequence>{Qt::Key_F11});
    if (presenting) {
        m_beforePresentation = {saveState(), windowState()};
        for (QDockWidget* dock : findChildren<QDockWidget*>())
            dock->hide();
        for (QToolBar* bar : findChildren<QToolBar*>())
            bar->hide();
        m_player->parentWidget()->hide();
        if (!m_messages->isError())
            m_messages->dismiss();
        menuBar()->hide();
        statusBar()->hide();
        setWindowState(windowState() | Qt::WindowFullScreen);
        m_views->current()->widget()->setFocus();
        return;
    }
    const BeforePresentation before = *std::exchange(m_beforePresentation, std::nullopt);
    setWindowState(before.state);
    menuBar()->show();
    statusBar()->show();
    m_player->parentWidget()->show();
    restoreState(before.docks);
}

} // namespace scanloupe::gui
