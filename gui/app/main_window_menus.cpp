// Builds the window's menus and its tool bar.
#include "gui/app/help_controller.h"
#include "gui/app/main_window.h"
#include "gui/app/window_layout.h"
#include "gui/base/raw_text.h"
#include "gui/base/settings.h"
#include "gui/controllers/camera_controller.h"
#include "gui/controllers/comparison_controller.h"
#include "gui/controllers/cut_controller.h"
#include "gui/controllers/edit_controller.h"
#include "gui/controllers/history_menu.h"
#include "gui/controllers/inspect_controller.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/project_controller.h"
#include "gui/controllers/run_controller.h"
#include "gui/controllers/sequence_controller.h"
#include "gui/controllers/view_controller.h"
#include "gui/controls/icons.h"
#include "gui/controls/theme.h"
#include "gui/dialogs/about_dialog.h"
#include "gui/views/view_area.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenuBar>
#include <QToolBar>

namespace scanloupe::gui {

void MainWindow::buildActions() {
    const WindowContext window = context();
    auto* file = menuBar()->addMenu(tr("&File"));
    auto* open =
        window.addTool(file, "open", tr("&Open…"), QKeySequence::Open, [this] { m_project->chooseFiles(); });
    auto* folder = window.addTool(file, "folder", tr("Open &Folder…"), tr("Ctrl+Shift+O"),
                                  [this] { m_project->chooseFolder(); });
    QMenu* recent = file->addMenu(tr("Open &Recent"));
    const auto listRecent = [this, recent] {
        recent->clear();
        recent->setEnabled(!m_recent.paths().isEmpty());
        for (const QString& path : m_recent.paths())
            // no check whether the file still exists: a server that does not respond would block the window
            recent->addAction(shownText(path), this, [this, path] { this->open({path}); });
    };
    connect(&m_recent, &RecentFiles::changed, recent, listRecent);
    listRecent();
    auto* sample = window.addTool(file, "sample", tr("Open Samp&le Scan"), {}, [this] { openSample(); });
    window.addTool(file, nullptr, tr("New Empty &Volume…"), QKeySequence::New,
                   [this] { m_project->newGrid(); });
    QAction* exportAction =
        window.addTool(file, "export", tr("&Export…"), tr("Ctrl+E"), [this] { exportDialog(false); });
    QAction* savePoints = window.addTool(file, nullptr, tr("Save &Points As…"), tr("Ctrl+Shift+E"),
                                         [this] { exportDialog(true); });
    file->addSeparator();
    m_project->buildRecipeActions(file);
    file->addSeparator();
    m_project->buildProjectActions(file);
    file->addSeparator();
    window.addTool(file, nullptr, tr("&Quit"), QKeySequence::Quit, [this] { close(); });
    exportAction->setEnabled(false);
    savePoints->setEnabled(false);
    connect(&m_work, &Work::resultsChanged, exportAction, [this, exportAction, savePoints] {
        exportAction->setEnabled(true);
        savePoints->setEnabled(m_work.hasCloud());
    });

    auto* edit = menuBar()->addMenu(tr("&Edit"));
    buildHistoryMenu(window, *m_edit, edit);
    auto* views = new ViewController(window);
    views->buildCopyAction(edit);

    auto* view = menuBar()->addMenu(tr("&View"));
    auto* fit = window.addTool(view, "fit", tr("Reset Vie&w"), {}, [this] { m_cameraController->showAll(); });
    const QList<QAction*> standard = views->buildCameraActions(view);
    view->addSeparator();
    const QList<QAction*> pictureOf = views->buildPictureActions(view);
    window.addTool(view, nullptr, tr("Parameter &Sweep…"), tr("Ctrl+Shift+G"),
                   [this] { m_run->showSweep(); });
    m_comparison->buildActions(view);
    view->addSeparator();
    m_sequence->buildSequenceActions(view);
    view->addSeparator();
    m_sequence->buildGridActions(view);
    views->buildLayoutActions(view);
    m_layout->buildPresentationAction(view);
    view->addSeparator();
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        view->addAction(dock->toggleViewAction());
    auto* themes = view->addMenu(tr("Theme"));
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::system, tr("System Default")},
                                                       {ThemeChoice::light, tr("Light")},
                                                       {ThemeChoice::dark, tr("Dark")}};
    for (const auto& [choice, text] : choices) {
        QAction* entry = group->addAction(themes->addAction(text));
        entry->setCheckable(true);
        entry->setChecked(choice == settings::theme.value());
        connect(entry, &QAction::triggered, this, [this, choice = choice] {
            m_theme.choose(choice);
            settings::theme.set(choice);
        });
    }
    auto* cut = menuBar()->addMenu(tr("&Crop"));
    m_edit->buildSelectMenu(menuBar()->addMenu(tr("&Select")));
    m_edit->buildSculptMenu(menuBar()->addMenu(tr("Scul&pt")));
    m_cut->buildMenu(cut, m_edit->ofSection());
    m_views->setTool(&m_edit->tool());
    auto* measures = menuBar()->addMenu(tr("&Measure"));
    m_measuring->buildMenu(measures, [&] {
        window.addTool(measures, nullptr, tr("&Compare with a Model or Scan…"), tr("Ctrl+M"),
                       [this] { m_inspect->chooseModel(); });
        window.addTool(measures, nullptr, tr("Detect C&hanges to a Later Scan…"), {},
                       [this] { m_inspect->chooseLaterScan(); });
    });
    auto* help = menuBar()->addMenu(tr("&Help"));
    m_help->buildMenu(help);
    window.addTool(help, nullptr, tr("&About Scanloupe"), {},
                   [this] { showAbout(m_jobs.runner().backend(), this); });

    auto* tools = addToolBar(tr("Tools"));
    tools->setObjectName("tools");
    tools->addActions({open, folder, sample, exportAction});
    tools->addSeparator();
    tools->addAction(fit);
    tools->addActions(standard);
    auto* pictures = addToolBar(tr("Rasterized View"));
    pictures->setObjectName("pictureOf");
    pictures->addActions(pictureOf);
    auto* measure = addToolBar(tr("Measure"));
    measure->setObjectName("measure");
    measure->addActions(m_measuring->kindActions());
}

} // namespace scanloupe::gui
