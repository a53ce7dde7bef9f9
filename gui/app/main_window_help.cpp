// Help in the window: the manual, the tour, the command palette and the keys.
#include "gui/app/command_palette.h"
#include "gui/app/keys_dialog.h"
#include "gui/app/main_window.h"
#include "gui/app/manual_window.h"
#include "gui/app/tour_bar.h"
#include "gui/controls/message_bar.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/parameters/parameter_row.h"

#include <QApplication>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
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

void MainWindow::showManual() {
    const ParameterRow* row = rowOf(QApplication::focusWidget()); // before the manual gets the focus
    if (!m_manual)
        m_manual = new ManualWindow(this);
    m_manual->show();
    m_manual->raise();
    m_manual->activateWindow();
    if (row)
        m_manual->showParameter(row->parameter().key);
}

void MainWindow::offerTour() {
    QSettings settings;
    if (!settings.value("tourOffered").toBool())
        startTour();
    settings.setValue("tourOffered", true);
}

void MainWindow::startTour() {
    if (m_tour)
        delete m_tour;
    m_tour = new TourBar(
        {{tr("Open a scan"),
          tr("Drop a file or a folder on the window, or take File > Open. The sample scan shows how it "
             "looks."),
          findChild<QToolBar*>(QStringLiteral("tools"))},
         {tr("Three views, one camera"),
          tr("Drag to orbit, drag with the right button to pan, turn the wheel to zoom. A click tells what "
             "lies at a point, a right click opens a menu, a double click fills the window."),
          m_pages},
         {tr("Parameters"),
          tr("Move the voxel size or the iso-value, and all views follow. While its button A is pressed, a "
             "value is chosen from the data. Ctrl+Z takes back."),
          m_parameters->parentWidget()},
         {tr("Find everything"), tr("Ctrl+K finds any command, ? lists all keys, F1 opens the manual."),
          menuBar()}},
        this);
    auto* column = static_cast<QVBoxLayout*>(centralWidget()->layout());
    column->insertWidget(0, m_tour);
}

void MainWindow::showPalette() {
    QWidget* window = QApplication::activeWindow(); // which may be that of a view
    (new CommandPalette(menuCommands(*menuBar()), window ? window : this))->open();
}

void MainWindow::showKeys() {
    auto* dialog = new KeysDialog(menuCommands(*menuBar()), this);
    dialog->show();
}

} // namespace scanloupe::gui
