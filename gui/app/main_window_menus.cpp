// Builds the window's menus and its tool bar.
#include "gui/app/about_dialog.h"
#include "gui/app/edit_session.h"
#include "gui/app/main_window.h"
#include "gui/app/menu_commands.h"
#include "gui/app/view_area.h"
#include "gui/base/raw_text.h"
#include "gui/controls/icons.h"
#include "gui/controls/theme.h"
#include "gui/views/view_commands.h"

#include <QActionGroup>
#include <QDockWidget>
#include <QMenuBar>
#include <QSettings>
#include <QToolBar>

namespace scanloupe::gui {

QAction* MainWindow::addTool(QMenu* menu, const char* icon, const QString& text, const QKeySequence& keys,
                             std::function<void()> action) {
    return addMenuTool(*this, menu, icon, text, keys, std::move(action));
}

void MainWindow::buildActions() {
    auto* file = menuBar()->addMenu(tr("&File"));
    auto* open = addTool(file, "open", tr("&Open…"), QKeySequence::Open, [this] {
        if (mayClose())
            m_opener.chooseFiles(scanFolder());
    });
    auto* folder = addTool(file, "folder", tr("Open &Folder…"), tr("Ctrl+Shift+O"), [this] {
        if (mayClose())
            m_opener.chooseFolder(scanFolder());
    });
    m_recentMenu = file->addMenu(tr("Open &Recent"));
    auto* sample = addTool(file, "sample", tr("Sample &Scan"), {}, [this] { openSample(); });
    addTool(file, nullptr, tr("New &Grid to Paint In…"), QKeySequence::New, [this] { newGrid(); });
    m_exportAction = addTool(file, "export", tr("&Export…"), tr("Ctrl+E"), [this] { exportDialog(false); });
    m_savePointsAction =
        addTool(file, nullptr, tr("Save &Points As…"), tr("Ctrl+Shift+E"), [this] { exportDialog(true); });
    file->addSeparator();
    m_openRecipeAction = addTool(file, "recipe", tr("Open Re&cipe…"), {}, [this] { chooseRecipe(); });
    m_saveRecipeAction =
        addTool(file, nullptr, tr("Save Recipe &As…"), tr("Ctrl+Alt+S"), [this] { saveRecipe(); });
    file->addSeparator();
    buildProjectActions(file);
    file->addSeparator();
    addTool(file, nullptr, tr("&Quit"), QKeySequence::Quit, [this] { close(); });
    m_exportAction->setEnabled(false);
    m_savePointsAction->setEnabled(false);
    m_saveRecipeAction->setEnabled(false);
    m_openRecipeAction->setEnabled(false); // a recipe is for the scan that is open

    buildEditMenu();
    buildCopyAction(menuBar()->actions().last()->menu());

    auto* view = menuBar()->addMenu(tr("&View"));
    auto* fit = addTool(view, "fit", tr("&Show All"), {}, [this] { showAll(); });
    const QList<QAction*> standard = buildCameraActions(view);
    view->addSeparator();
    buildPictureActions(view);
    addTool(view, nullptr, tr("&Compare OpenGL and Software…"), tr("Ctrl+D"), [this] { showDifference(); });
    addTool(view, nullptr, tr("Parameter S&weep…"), tr("Ctrl+Shift+G"), [this] { showSweep(); });
    buildCompareActions(view);
    view->addSeparator();
    buildSequenceActions(view);
    view->addSeparator();
    buildGridActions(view);
    buildLayoutActions(view);
    view->addSeparator();
    for (QDockWidget* dock : findChildren<QDockWidget*>())
        view->addAction(dock->toggleViewAction());
    auto* themes = view->addMenu(tr("T&heme"));
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {{ThemeChoice::system, tr("As the System")},
                                                       {ThemeChoice::light, tr("Light")},
                                                       {ThemeChoice::dark, tr("Dark")}};
    for (const auto& [choice, text] : choices) {
        QAction* entry = group->addAction(themes->addAction(text));
        entry->setCheckable(true);
        entry->setChecked(int(choice) == QSettings().value("theme").toInt());
        connect(entry, &QAction::triggered, this, [this, choice = choice] {
            m_theme.choose(choice);
            QSettings().setValue("theme", int(choice));
        });
    }
    buildCutMenu();
    m_edit->buildSelectMenu(menuBar()->addMenu(tr("&Select")));
    m_edit->buildSculptMenu(menuBar()->addMenu(tr("Scul&pt")));
    m_sectionActions << m_edit->ofSection();
    m_views->setTool(&m_edit->tool());
    buildMeasureMenu();
    auto* help = menuBar()->addMenu(tr("&Help"));
    // in a field that is typed into, Ctrl+K deletes to its end
    addTool(help, nullptr, tr("&Commands…"), {}, [this] {
        showPalette();
    })->setShortcuts({QKeySequence(tr("Ctrl+K")), QKeySequence(tr("Ctrl+Shift+P"))});
    addTool(help, nullptr, tr("&Keys…"), QKeySequence(tr("?")), [this] { showKeys(); });
    addTool(help, nullptr, tr("&Manual"), QKeySequence::HelpContents, [this] { showManual(); });
    addTool(help, nullptr, tr("&Tour"), {}, [this] { startTour(); });
    addTool(help, nullptr, tr("&About Scanloupe"), {},
            [this] { showAbout(m_jobs.runner().backend(), this); });

    auto* tools = addToolBar(tr("Tools"));
    tools->setObjectName("tools");
    tools->addActions({open, folder, sample, m_exportAction});
    tools->addSeparator();
    tools->addAction(fit);
    tools->addActions(standard);
    auto* pictures = addToolBar(tr("Picture of"));
    pictures->setObjectName("pictureOf");
    pictures->addActions(m_pictureActions);
    auto* measure = addToolBar(tr("Measure"));
    measure->setObjectName("measure");
    measure->addActions(m_measureActions);
    buildRecentMenu();
}

QList<QAction*> MainWindow::buildCameraActions(QMenu* view) {
    const auto add = [this, view](ViewCommand command, const char* icon, const QString& text) {
        QAction* entry =
            addTool(view, icon, text, {}, [this, command] { execute(command, m_camera, m_views->aspect()); });
        QList<QKeySequence> keys;
        for (const Qt::Key key : keysOf(command))
            keys << QKeySequence(key);
        entry->setShortcuts(keys);
        return entry;
    };
    QList<QAction*> sides;
    m_cameraActions << add(ViewCommand::fit, nullptr, tr("F&it"));
    sides << add(ViewCommand::oblique, "view-oblique", tr("&Oblique"));
    sides << add(ViewCommand::top, "view-top", tr("&Top"));
    sides << add(ViewCommand::bottom, "view-bottom", tr("&Bottom"));
    sides << add(ViewCommand::front, "view-front", tr("&Front"));
    sides << add(ViewCommand::back, "view-back", tr("B&ack"));
    sides << add(ViewCommand::left, "view-left", tr("&Left"));
    sides << add(ViewCommand::right, "view-right", tr("&Right"));
    m_cameraActions << sides;
    view->addSeparator();
    add(ViewCommand::zoomIn, nullptr, tr("&Zoom In"));
    add(ViewCommand::zoomOut, nullptr, tr("Zoom O&ut"));
    view->addSeparator();
    QAction* perspective = add(ViewCommand::perspective, nullptr, tr("P&erspective"));
    QAction* orthographic = add(ViewCommand::orthographic, nullptr, tr("Ort&hographic"));
    auto* projection = new QActionGroup(this);
    for (QAction* entry : {perspective, orthographic}) {
        entry->setCheckable(true);
        projection->addAction(entry);
    }
    const auto showProjection = [=, this] {
        (m_camera.camera().orthographic ? orthographic : perspective)->setChecked(true);
    };
    connect(&m_camera, &LinkedCamera::changed, this, showProjection);
    showProjection();
    return sides;
}

void MainWindow::buildRecentMenu() {
    m_recentMenu->clear();
    m_recentMenu->setEnabled(!m_recent.paths().isEmpty());
    for (const QString& path : m_recent.paths())
        // whether it still exists is not asked here: a server that does not answer would block the window
        m_recentMenu->addAction(shownText(path), this, [this, path] { open({path}); });
}

} // namespace scanloupe::gui
