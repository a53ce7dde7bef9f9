// Saves the open scans as a project, in the background; opens and saves recipes of the open scan.
#include "gui/controllers/project_controller.h"

#include "engine/io/common/file_ending.h"
#include "engine/recipe/recipe.h"
#include "engine/recipe/recipe_file.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/camera_controller.h"
#include "gui/controllers/edit_controller.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/recent_files.h"
#include "gui/controllers/run_controller.h"
#include "gui/controls/patience.h"
#include "gui/views/linked_camera.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <memory>

namespace scanloupe::gui {

namespace {

constexpr int kPatienceMs = 500; // a project that is written within this time shows no dialog

} // namespace

QString ProjectController::projectFilter() {
    return tr("Projects (*.json)");
}

AskedProject ProjectController::asked() const {
    const QString& path = m_store.path();
    const bool mayBeWritten = !m_store.isLocked() && !m_store.isBeingWritten(path);
    return {project(), mayBeWritten ? path : QString(), m_store.digest(), m_work.replaced()};
}

void ProjectController::saveProject(const AskedProject& asked, const SaveEnd& ended) {
    if (asked.path.isEmpty())
        saveProjectAs(asked, ended);
    else
        startSaving(asked.path, asked, asked.digest, ended);
}

void ProjectController::saveProjectAs(const AskedProject& asked, const SaveEnd& ended) {
    const QString& open = m_store.path();
    QString suggested = open.isEmpty() ? tr("project.json") : shownText(open);
    // the dialog accesses its folder on the GUI thread: a folder that does not respond would block the window
    if (m_store.isBeingWritten(open) || (m_store.isSaving() && m_store.savedPath() == open))
        suggested = QDir::home().filePath(QFileInfo(suggested).fileName());
    const QString path =
        gui::promptSavePath(&m_window.widget, tr("Save the project"), suggested, projectFilter());
    if (path.isEmpty())
        ended(false);
    else
        startSaving(path, asked, std::nullopt, ended);
}

bool ProjectController::saveProjectTo(const QString& path) {
    return isSavedBy([&](const SaveEnd& ended) { startSaving(path, asked(), std::nullopt, ended); })
        .value_or(false);
}

void ProjectController::startSaving(const QString& named, const AskedProject& asked,
                                    const std::optional<std::string>& digest, const SaveEnd& ended) {
    const QString path = QFileInfo(named).absoluteFilePath();
    if (!asked.project) // nothing is open
        return ended(false);
    if (m_store.isSaving()) {
        m_window.messages.showNote(tr("The project is still being written. Save again when that is done."));
        return ended(false);
    }
    if (m_store.isBeingWritten(path)) {
        m_window.messages.showError(
            tr("%1 is still being written: its disk or network does not respond.").arg(shownText(path)),
            tr("Save under another name."));
        return ended(false);
    }
    m_store.save({path, *asked.project, digest, openPaths(m_store.path())},
                 [=, this](const SavedProject& saved) { onSaved(path, asked, saved, ended); });
    QTimer::singleShot(kPatienceMs, this, [this, path] {
        if (m_store.isSaving())
            m_window.messages.showNote(tr("Writing %1…").arg(shownText(path)));
    });
}

void ProjectController::onSaved(const QString& path, const AskedProject& asked, const SavedProject& saved,
                                const SaveEnd& ended) {
    if (saved.isReplaced) {
        m_window.messages.showNote(
            tr("%1 was changed or replaced by another program. Choose where to save your project.")
                .arg(QFileInfo(shownText(path)).fileName()));
        return saveProjectAs(asked, ended);
    }
    if (saved.error) {
        m_window.showError(saved.error);
        return ended(false);
    }
    if (asked.replaced == m_work.replaced()) { // otherwise another scan has been opened since the request
        m_store.takeSaved(path, saved);
        m_saved = *asked.project;
        m_recipeEdits.reset();
        m_parts.measuring.stopKeeping(); // the project has the measures now
    }
    m_parts.recent.add(path);
    showTitle();
    m_window.messages.showWritten(shownText(path));
    ended(true);
}

std::optional<bool> ProjectController::isSavedBy(const std::function<void(const SaveEnd&)>& save) {
    const auto isSaved = std::make_shared<bool>(false);
    save([isSaved](bool saved) { *isSaved = saved; });
    const std::optional<bool> isWritten = waitForSaving();
    return isWritten ? std::optional(*isWritten && *isSaved) : std::nullopt;
}

std::optional<bool> ProjectController::waitForSaving() {
    bool isWritten = true; // the result of the last write: the user may have chosen another name
    QObject meanwhile;
    connect(&m_store, &ProjectStore::savingEnded, &meanwhile,
            [&](bool isLastWritten) { isWritten = isLastWritten; });
    const Waited waited = waitUntil(
        &m_window.widget, [this] { return !m_store.isSaving(); },
        {tr("Save Project"),
         tr("The project is still being written: %1.").arg(shownText(m_store.savedPath())),
         tr("The window closes once it is written. If its disk or network does not respond, choose Don't "
            "Wait to save elsewhere or to close without saving. Cancel keeps the window open."),
         tr("Do&n't Wait")});
    if (waited == Waited::left) {
        m_store.stopWaiting();
        return std::nullopt;
    }
    return waited == Waited::done && isWritten;
}

void ProjectController::buildRecipeActions(QMenu* file) {
    m_openRecipeAction =
        m_window.addTool(file, "recipe", tr("Open Re&cipe…"), {}, [this] { chooseRecipe(); });
    m_saveRecipeAction =
        m_window.addTool(file, nullptr, tr("Save Recipe &As…"), tr("Ctrl+Alt+S"), [this] { saveRecipe(); });
    m_saveRecipeAction->setEnabled(false);
    m_openRecipeAction->setEnabled(false); // a recipe needs an open scan
}

void ProjectController::chooseRecipe() {
    const QString path =
        QFileDialog::getOpenFileName(&m_window.widget, tr("Open a recipe"), {}, tr("Recipes (*.json)"));
    if (!path.isEmpty())
        openRecipe(path);
}

bool ProjectController::isRecipe(const QString& path) {
    const std::filesystem::path file = rawPath(path);
    std::error_code unknown;
    return lowerEnding(file) == ".json" &&
           !std::filesystem::exists(std::filesystem::path(file).replace_extension(".raw"), unknown);
}

void ProjectController::showRecipeOfAnotherScan() {
    m_window.messages.showError(tr("The recipe was not loaded: another scan was opened first."),
                                tr("Open the recipe again to use it with this scan."));
}

void ProjectController::openRecipe(const QString& path) {
    if (!m_openRecipeAction->isEnabled())
        return m_window.messages.showError(tr("Open a scan before loading a recipe."),
                                           tr("Open a scan, then drop the recipe again."));
    const std::pair scan = m_work.scan();
    try {
        const auto read = readApart<Recipe>(&m_window.widget, readingWords(path),
                                            [path] { return readRecipe(rawPath(path)); });
        if (!read)
            return;
        Recipe recipe = *read;
        const Edits asRead = recipe.edits;
        m_parts.edit.approveLayersOf({&recipe});
        if (scan != m_work.scan())
            return showRecipeOfAnotherScan();
        m_parts.edit.endStroke();
        m_recipeFile = QFileInfo(path).absoluteFilePath();
        if (m_store.path().isEmpty() && m_playlist.size() == 0 && !isModified())
            m_recipeEdits = asRead; // the recipe's file has the edits
        m_parts.camera.take(recipe);
        m_work.changeRecipe(recipe);
    } catch (...) {
        m_window.showError(std::current_exception());
    }
}

void ProjectController::saveRecipe() {
    if (!m_parts.run.isWhole()) // a preview has other automatic values
        return;
    // copied now, since results may arrive while the dialog is open
    Recipe recipe = m_work.results()->resolved;
    recipe.camera = m_window.viewing.camera.camera();
    m_parts.edit.restoreBlocked({&recipe});
    const int replaced = m_work.replaced();
    const QString path =
        gui::promptSavePath(&m_window.widget, tr("Save the recipe"), "recipe.json", tr("Recipes (*.json)"));
    if (path.isEmpty())
        return;
    try {
        OutputCheck check = outputCheckFor(openFiles(m_recipeFile));
        check.addOutput(rawPath(path), {});
        writeRecipe(rawPath(path), recipe);
        if (replaced == m_work.replaced())
            m_recipeFile = QFileInfo(path).absoluteFilePath();
        if (replaced == m_work.replaced() && m_store.path().isEmpty() && m_playlist.size() == 0)
            m_recipeEdits = recipe.edits;
        showModified();
        m_window.messages.showWritten(path);
    } catch (...) {
        m_window.showError(std::current_exception());
    }
}

} // namespace scanloupe::gui
