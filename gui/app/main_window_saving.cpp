// Saves what is open as a project, in the background.
#include "gui/app/main_window.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/patience.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/failure.h"

#include <QDir>
#include <QFileInfo>
#include <memory>

namespace scanloupe::gui {

namespace {

constexpr int kPatienceMs = 500; // without a word while a project is written

} // namespace

QString MainWindow::projectFilter() {
    return tr("Projects (*.json)");
}

AskedProject MainWindow::asked() const {
    const QString& path = m_store.path();
    const bool mayBeWritten = !m_store.isLocked() && !m_store.isBeingWritten(path);
    return {project(), mayBeWritten ? path : QString(), m_store.digest(), m_replaced};
}

void MainWindow::saveProject(const AskedProject& asked, const SaveEnd& ended) {
    if (asked.path.isEmpty())
        saveProjectAs(asked, ended);
    else
        startSaving(asked.path, asked, asked.digest, ended);
}

void MainWindow::saveProjectAs(const AskedProject& asked, const SaveEnd& ended) {
    const QString& open = m_store.path();
    QString suggested = open.isEmpty() ? tr("project.json") : shownText(open);
    // the dialog looks at its folder on the GUI thread: one that does not answer would hold up the window
    if (m_store.isBeingWritten(open) || (m_store.isSaving() && m_store.savedPath() == open))
        suggested = QDir::home().filePath(QFileInfo(suggested).fileName());
    const QString path = gui::promptSavePath(this, tr("Save the project"), suggested, projectFilter());
    if (path.isEmpty())
        ended(false);
    else
        startSaving(path, asked, std::nullopt, ended);
}

bool MainWindow::saveProjectTo(const QString& path) {
    return isSavedBy([&](const SaveEnd& ended) { startSaving(path, asked(), std::nullopt, ended); })
        .value_or(false);
}

void MainWindow::startSaving(const QString& named, const AskedProject& asked,
                             const std::optional<std::string>& digest, const SaveEnd& ended) {
    const QString path = QFileInfo(named).absoluteFilePath();
    if (!asked.project) // nothing is open
        return ended(false);
    if (m_store.isSaving()) {
        m_messages->showNote(tr("The project is still being written. Save again when that is done."));
        return ended(false);
    }
    if (m_store.isBeingWritten(path)) {
        m_messages->showError(
            tr("%1 is still being written, on a disk or network that does not answer.").arg(shownText(path)),
            tr("Save under another name."));
        return ended(false);
    }
    m_store.save({path, *asked.project, digest, openPaths(m_store.path())},
                 [=, this](const SavedProject& saved) { onSaved(path, asked, saved, ended); });
    QTimer::singleShot(kPatienceMs, this, [this, path] {
        if (m_store.isSaving())
            m_messages->showNote(tr("Writing %1…").arg(shownText(path)));
    });
}

void MainWindow::onSaved(const QString& path, const AskedProject& asked, const SavedProject& saved,
                         const SaveEnd& ended) {
    if (saved.isReplaced) {
        m_messages->showNote(
            tr("%1 was changed by another program, or is another project now. Choose where to "
               "save yours.")
                .arg(QFileInfo(shownText(path)).fileName()));
        return saveProjectAs(asked, ended);
    }
    if (saved.error) {
        const Failure failure = failureOf(saved.error, {});
        m_messages->showError(failure.sentence, failure.nextStep);
        return ended(false);
    }
    if (asked.replaced == m_replaced) { // else another scan has come since it was asked for
        m_store.takeSaved(path, saved);
        m_saved = *asked.project;
        m_recipeEdits.reset();
        m_keptScan.clear(); // the project has the measures now
        m_areMeasuresKept = false;
    }
    m_recent.add(path);
    showTitle();
    m_messages->showNote(tr("Written: %1.").arg(shownText(path)));
    ended(true);
}

std::optional<bool> MainWindow::isSavedBy(const std::function<void(const SaveEnd&)>& save) {
    const auto isSaved = std::make_shared<bool>(false);
    save([isSaved](bool saved) { *isSaved = saved; });
    const std::optional<bool> isWritten = waitForSaving();
    return isWritten ? std::optional(*isWritten && *isSaved) : std::nullopt;
}

std::optional<bool> MainWindow::waitForSaving() {
    bool isWritten = true; // what was written last: another name may have been chosen
    QObject meanwhile;
    connect(&m_store, &ProjectStore::savingEnded, &meanwhile,
            [&](bool isLastWritten) { isWritten = isLastWritten; });
    const Waited waited = waitUntil(
        this, [this] { return !m_store.isSaving(); },
        {tr("Save Project"),
         tr("The project is still being written: %1.").arg(shownText(m_store.savedPath())),
         tr("This goes on once it is written. If its disk or network does not answer, don't wait: you can "
            "save elsewhere, or close without it. Cancel leaves the window as it is."),
         tr("Do&n't Wait")});
    if (waited == Waited::left) {
        m_store.stopWaiting();
        return std::nullopt;
    }
    return waited == Waited::done && isWritten;
}

} // namespace scanloupe::gui
