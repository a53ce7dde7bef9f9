// Saves what is open as a project, in the background.
#include "gui/app/main_window.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/failure.h"

#include <QEventLoop>
#include <QFileInfo>
#include <QMessageBox>
#include <memory>

namespace scanloupe::gui {

namespace {

constexpr int kPatienceMs = 500; // without a word while a project is written

} // namespace

QString MainWindow::projectFilter() {
    return tr("Projects (*.json)");
}

AskedProject MainWindow::asked() const {
    return {project(), m_store.isLocked() ? QString() : m_store.path(), m_store.digest(), m_replaced};
}

void MainWindow::saveProject(const AskedProject& asked, const SaveEnd& ended) {
    if (asked.path.isEmpty())
        saveProjectAs(asked, ended);
    else
        startSaving(asked.path, asked, asked.digest, ended);
}

void MainWindow::saveProjectAs(const AskedProject& asked, const SaveEnd& ended) {
    const QString before = shownText(m_store.path());
    const QString path = gui::promptSavePath(this, tr("Save the project"),
                                             before.isEmpty() ? tr("project.json") : before, projectFilter());
    if (path.isEmpty())
        ended(false);
    else
        startSaving(path, asked, std::nullopt, ended);
}

bool MainWindow::saveProjectTo(const QString& path) {
    return isSavedBy([&](const SaveEnd& ended) { startSaving(path, asked(), std::nullopt, ended); });
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
    m_store.save({path, *asked.project, digest, openFiles(m_store.path())},
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

bool MainWindow::isSavedBy(const std::function<void(const SaveEnd&)>& save) {
    const auto isSaved = std::make_shared<bool>(false);
    save([isSaved](bool saved) { *isSaved = saved; });
    return waitForSaving() && *isSaved;
}

bool MainWindow::waitForSaving() {
    if (!m_store.isSaving())
        return true;
    bool isWritten = false; // what was written last: another name may have been chosen
    QEventLoop briefly;     // most projects are written at once, and a question would only flash up
    connect(&m_store, &ProjectStore::savingEnded, &briefly, [&](bool isLastWritten) {
        isWritten = isLastWritten;
        briefly.quit();
    });
    QTimer::singleShot(kPatienceMs, &briefly, &QEventLoop::quit);
    briefly.exec(QEventLoop::ExcludeUserInputEvents);
    if (!m_store.isSaving())
        return isWritten;
    QMessageBox waits(QMessageBox::Information, tr("Save Project"), tr("The project is still being written."),
                      QMessageBox::Cancel, this);
    waits.setInformativeText(tr("This goes on once it is written. Cancel leaves the window as it is."));
    connect(&m_store, &ProjectStore::savingEnded, &waits, [this, &waits] {
        if (!m_store.isSaving())
            waits.accept();
    });
    waits.exec();
    return !m_store.isSaving() && isWritten;
}

} // namespace scanloupe::gui
