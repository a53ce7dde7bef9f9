// Shows the manual, the tour, the command palette and the keys.
#include "gui/app/help_controller.h"

#include "engine/recipe/parameters.h"
#include "gui/app/command_palette.h"
#include "gui/app/keys_dialog.h"
#include "gui/app/manual_window.h"
#include "gui/app/tour_bar.h"
#include "gui/base/settings.h"
#include "gui/controllers/window_context.h"
#include "gui/panels/parameters/parameter_row.h"
#include "gui/work/work.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

/// The row of the parameter that a widget belongs to, or null.
const ParameterRow* rowOf(const QWidget* widget) {
    for (; widget; widget = widget->parentWidget())
        if (const auto* row = qobject_cast<const ParameterRow*>(widget))
            return row;
    return nullptr;
}

} // namespace

HelpController::HelpController(QMainWindow& window, const QWidget& views, const Work& work)
    : QObject(&window), m_window(window), m_views(views) {
    connect(&work, &Work::scanOpened, this, [this] {
        if (m_tour && m_tour->step() == 0) // this step explains how to open a scan
            m_tour->next();
    });
}

void HelpController::buildMenu(QMenu* menu) {
    const auto add = [&](const QString& text, const QKeySequence& keys, void (HelpController::*show)()) {
        return addMenuTool(m_window, menu, nullptr, text, keys, [this, show] { (this->*show)(); });
    };
    // in text fields, Ctrl+K deletes to the end of the line
    add(tr("&Commands…"), {}, &HelpController::showPalette)
        ->setShortcuts({QKeySequence(tr("Ctrl+K")), QKeySequence(tr("Ctrl+Shift+P"))});
    add(tr("&Keyboard Shortcuts…"), QKeySequence(tr("?")), &HelpController::showKeys);
    add(tr("&Manual"), QKeySequence::HelpContents, &HelpController::showManual);
    add(tr("&Tour"), {}, &HelpController::startTour);
}

void HelpController::endTour() {
    if (m_tour)
        m_tour->end();
}

void HelpController::showManual() {
    const ParameterRow* row = rowOf(QApplication::focusWidget()); // found before the manual takes the focus
    if (!m_manual)
        m_manual = new ManualWindow(&m_window);
    m_manual->show();
    m_manual->raise();
    m_manual->activateWindow();
    if (row)
        m_manual->showParameter(row->parameter().key);
}

void HelpController::offerTour() {
    if (!settings::tourOffered.value())
        startTour();
    settings::tourOffered.set(true);
}

void HelpController::startTour() {
    if (m_tour)
        delete m_tour;
    m_tour = new TourBar(
        {{tr("Open a scan"),
          tr("Drop a file or a folder on the window, or choose File > Open. To try the program, open the "
             "sample scan."),
          m_window.findChild<QToolBar*>(QStringLiteral("tools"))},
         {tr("Three views, one camera"),
          tr("Drag to orbit, drag with the right button to pan, turn the wheel to zoom. Click a point for "
             "its values, right-click for a menu, double-click to maximize a view."),
          m_views.parentWidget()},
         {tr("Parameters"),
          tr("Change the voxel size or the iso-value, and all views update. The button A next to a value "
             "sets it from the data. Ctrl+Z undoes a change."),
          m_window.findChild<QDockWidget*>(QStringLiteral("parameters"))},
         {tr("Find commands"),
          tr("Ctrl+K finds any command, ? lists all keyboard shortcuts, F1 opens the manual."),
          m_window.menuBar()}},
        &m_window);
    auto* column = static_cast<QVBoxLayout*>(m_window.centralWidget()->layout());
    column->insertWidget(0, m_tour);
}

void HelpController::showPalette() {
    QWidget* window = QApplication::activeWindow(); // a detached view has its own window
    (new CommandPalette(menuCommands(*m_window.menuBar()), window ? window : &m_window))->open();
}

void HelpController::showKeys() {
    auto* dialog = new KeysDialog(menuCommands(*m_window.menuBar()), &m_window);
    dialog->show();
}

} // namespace scanloupe::gui
