// Recipes in the window, opened and saved, and the history of the work, undone and redone.
#include "engine/io/common/file_ending.h"
#include "engine/recipe/recipe_file.h"
#include "gui/app/main_window.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/patience.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/failure.h"
#include "gui/panels/parameters/parameter_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>

namespace scanloupe::gui {

namespace {

/// The words of a step as an entry of a menu, which is as wide as its longest entry.
QString menuWords(const QString& words) {
    constexpr qsizetype most = 100, tail = 30; // characters
    return words.size() <= most ? words : words.left(most - tail) + QChar(0x2026) + words.right(tail);
}

} // namespace

void MainWindow::buildEditMenu() {
    auto* edit = menuBar()->addMenu(tr("&Edit"));
    m_undoAction = addTool(edit, nullptr, {}, QKeySequence::Undo, [this] { goTo(m_history.current() - 1); });
    m_redoAction = addTool(edit, nullptr, {}, {}, [this] { goTo(m_history.current() + 1); });
    m_redoAction->setShortcuts({QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y"))});
    edit->addSeparator();
    m_historyMenu = edit->addMenu(tr("&History"));
    connect(m_historyMenu, &QMenu::aboutToShow, this, &MainWindow::buildHistoryMenu);
    showHistory();
}

void MainWindow::showHistory() {
    const auto& steps = m_history.steps();
    m_undoAction->setEnabled(m_history.canUndo());
    m_undoAction->setText(
        m_history.canUndo() ? tr("&Undo %1").arg(menuWords(steps[m_history.current()].words)) : tr("&Undo"));
    m_redoAction->setEnabled(m_history.canRedo());
    m_redoAction->setText(m_history.canRedo()
                              ? tr("&Redo %1").arg(menuWords(steps[m_history.current() + 1].words))
                              : tr("&Redo"));
    m_historyMenu->setEnabled(steps.size() > 1);
    setWindowModified(isModified());
}

void MainWindow::buildHistoryMenu() {
    constexpr std::size_t most = 30; // entries of a menu that fits a screen, around the current step
    const auto& steps = m_history.steps();
    const std::size_t end = std::min(steps.size(), std::max(m_history.current() + most / 2, most));
    m_historyMenu->clear();
    for (std::size_t i = end > most ? end - most : 0; i < end; ++i) {
        QAction* entry = m_historyMenu->addAction(i == 0 ? tr("As opened") : menuWords(steps[i].words), this,
                                                  [this, i] { goTo(i); });
        entry->setCheckable(true);
        entry->setChecked(i == m_history.current());
    }
}

void MainWindow::changeRecipe(const Recipe& recipe) {
    WorkState state = m_history.state();
    state.recipe = recipe;
    m_history.record(state);
    showHistory();
    requestResults(recipe);
}

void MainWindow::recordTogether() {
    if (m_playlist.kind() != Playlist::Kind::place)
        return;
    WorkState state = m_history.state();
    state.visible = m_playlist.visible();
    state.isAligned = m_playlist.showsAligned();
    m_history.record(state);
    showHistory();
}

const Recipe& MainWindow::recipe() const {
    return m_parameters->recipe();
}

void MainWindow::takeRecipe(const Recipe& recipe, Step step) {
    m_parameters->setRecipe(recipe);
    if (step == Step::added)
        changeRecipe(recipe);
    else
        requestResults(recipe);
}

void MainWindow::goTo(std::size_t step) {
    if (step >= m_history.steps().size())
        return;
    m_edit->endStroke();
    const WorkState before = m_history.state();
    const WorkState state = m_history.goTo(step);
    m_parameters->setRecipe(state.recipe);
    if (state.measures != before.measures)
        keepMeasures();
    showHistory();
    if (state.reference != before.reference)
        showReference();
    if (state.measures != before.measures)
        showMeasures();
    if (!state.visible.empty())
        m_playlist.setTogether(state.visible, state.isAligned);
    if (state.recipe == before.recipe)
        return;
    m_edit->show();
    requestResults(state.recipe);
}

void MainWindow::chooseRecipe() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a recipe"), {}, tr("Recipes (*.json)"));
    if (!path.isEmpty())
        openRecipe(path);
}

bool MainWindow::isRecipe(const QString& path) {
    const std::filesystem::path file = rawPath(path);
    std::error_code unknown;
    return lowerEnding(file) == ".json" &&
           !std::filesystem::exists(std::filesystem::path(file).replace_extension(".raw"), unknown);
}

void MainWindow::showRecipeOfAnotherScan() {
    m_messages->showError(tr("Another scan was opened before the recipe."),
                          tr("Open the recipe again if it is for this scan, too."));
}

void MainWindow::openRecipe(const QString& path) {
    if (!m_openRecipeAction->isEnabled())
        return m_messages->showError(tr("A recipe is for the scan that is open, and none is."),
                                     tr("Open a scan, then drop the recipe again."));
    const std::pair scan(m_replaced, placeOfWork());
    try {
        const auto read =
            readApart<Recipe>(this, readingWords(path), [path] { return readRecipe(rawPath(path)); });
        if (!read)
            return;
        Recipe recipe = *read;
        const Edits asRead = recipe.edits;
        m_edit->approveLayersOf({&recipe});
        if (scan != std::pair(m_replaced, placeOfWork()))
            return showRecipeOfAnotherScan();
        m_edit->endStroke();
        m_recipeFile = QFileInfo(path).absoluteFilePath();
        if (m_store.path().isEmpty() && m_playlist.size() == 0 && !isModified())
            m_recipeEdits = asRead; // the recipe's file has them
        m_parameters->setRecipe(recipe);
        if (recipe.camera) {
            if (recipe.up)
                m_camera.setUp(*recipe.up);
            m_camera.setCamera(*recipe.camera);
            m_cameraIsNew = true;
        }
        changeRecipe(recipe);
        m_edit->show();
    } catch (...) {
        const Failure failure = failureOf(std::current_exception(), {});
        m_messages->showError(failure.sentence, failure.nextStep);
    }
}

void MainWindow::saveRecipe() {
    if (!isWhole()) // the values that a preview has chosen from the data differ
        return;
    Recipe recipe = m_snapshot->resolved; // as shown now: results arrive while the dialog is open
    recipe.camera = m_camera.camera();
    m_edit->restoreBlocked({&recipe});
    const int replaced = m_replaced;
    const QString path =
        gui::promptSavePath(this, tr("Save the recipe"), "recipe.json", tr("Recipes (*.json)"));
    if (path.isEmpty())
        return;
    try {
        OutputCheck check = outputCheckFor(openFiles(m_recipeFile));
        check.addOutput(rawPath(path), {});
        writeRecipe(rawPath(path), recipe);
        if (replaced == m_replaced)
            m_recipeFile = QFileInfo(path).absoluteFilePath();
        if (replaced == m_replaced && m_store.path().isEmpty() && m_playlist.size() == 0)
            m_recipeEdits = recipe.edits;
        setWindowModified(isModified());
        m_messages->showNote(tr("Written: %1.").arg(path));
    } catch (...) {
        const Failure failure = failureOf(std::current_exception(), {});
        m_messages->showError(failure.sentence, failure.nextStep);
    }
}

} // namespace scanloupe::gui
