// Work that no file has: asked about before it is given up, saved automatically, and offered again.
#include "engine/cloud/error.h"
#include "gui/app/main_window.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/failure.h"
#include "gui/models/project_work.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/welcome_pane.h"

#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr int kDaysOffered = 30; // on the start page; later when its scan is opened

/// Says that the project was saved after the autosave; empty: it was not.
QString noteOfLaterSave(const ProjectStore::LeftBehind& left) {
    const QFileInfo file(ProjectStore::fileOf(left.project));
    if (!file.isFile() || file.lastModified() <= left.when)
        return {};
    return QLatin1Char(' ') + MainWindow::tr("Its project was saved later, on %1.")
                                  .arg(QLocale().toString(file.lastModified(), QLocale::ShortFormat));
}

QString namesOf(const Project& project) {
    if (project.scans.front().sample)
        return MainWindow::tr("the sample scan");
    const QString name = shownText(project.scans.front().path.filename().string());
    const std::size_t others = project.scans.size() - 1;
    return others == 0 ? name : MainWindow::tr("%1 and %2 more").arg(name).arg(others);
}

/// Names scans that can't be found; empty: there are none.
QString noteOfMissing(const Project& project) {
    constexpr std::size_t shown = 3;
    const auto missing = missingScans(project);
    QStringList names;
    for (std::size_t i = 0; i < std::min(missing.size(), shown); ++i)
        names << shownText(missing[i].filename().string());
    if (missing.size() > shown)
        names << MainWindow::tr("%1 more").arg(missing.size() - shown);
    return names.isEmpty() ? QString()
                           : QLatin1Char(' ') + MainWindow::tr("These of its scans can't be found: %1.")
                                                    .arg(names.join(QStringLiteral(", ")));
}

/// Names autosaves that can't be read, and where they are.
void report(const std::vector<std::pair<QString, QString>>& unreadable, MessageBar& messages, LogPanel& log) {
    const QString next =
        MainWindow::tr("Open it with the version of Scanloupe that wrote it, or delete it if "
                       "you need nothing of it. The log has the reason.");
    for (const auto& [file, why] : unreadable) {
        const QFileInfo info(shownText(file));
        const QString sentence = MainWindow::tr("The autosave %1 can't be read. It stays where it is, in %2.")
                                     .arg(info.fileName(), info.path());
        messages.showError(sentence, next);
        log.append(sentence + QLatin1Char(' ') + why);
    }
}

} // namespace

QStringList MainWindow::unsavedWork() const {
    if (!m_snapshot)
        return {};
    Project now = work();
    if (m_areMeasuresKept)
        now.measures = m_saved.measures;
    if (m_recipeEdits && isSameButSelection(now.recipe.edits, *m_recipeEdits))
        now.recipe.edits = m_saved.recipe.edits;
    return workBeyond(now, m_saved);
}

bool MainWindow::isModified() const {
    if (!m_snapshot || m_store.path().isEmpty())
        return !unsavedWork().isEmpty();
    return !isSameProject(work(), m_saved);
}

void MainWindow::autosave() {
    const bool hasWork = isModified();
    setWindowModified(hasWork);
    if (!hasWork)
        m_store.endAutosave();
    else if (const std::optional<Project> now = project())
        m_store.autosave(*now);
    if (!m_left || !m_left->file.isEmpty() || std::exchange(m_isLeaving, true))
        return;
    // what could not be left behind is tried again
    m_store.leaveBehind(m_left->project, [this, when = m_left->when](const QString& file, const Failure&) {
        m_isLeaving = false;
        if (m_left && m_left->file.isEmpty() && m_left->when == when)
            m_left->file = file;
    });
}

QString MainWindow::leaveUnsavedWork() {
    const QStringList unsaved = unsavedWork();
    if (unsaved.isEmpty() || (m_givenUp && workBeyond(work(), *m_givenUp).isEmpty()))
        return {};
    const QString what = tr("%1 had unsaved work: %2.").arg(m_shownName, unsaved.join(QStringLiteral(", "))) +
                         QLatin1Char(' ');
    const QString then = tr("Open it again to restore it.");
    if (const std::optional<Project> now = project()) {
        const ProjectStore::LeftBehind left{{}, QDateTime::currentDateTime(), *now};
        m_store.leaveAutosaveBehind(*now, [this, left](const QString& file, const Failure& failure) {
            if (!file.isEmpty())
                return;
            m_log->append(failure.sentence);
            m_left = left; // from the memory
            offerLeftBehind();
        });
    }
    m_log->append(what + then);
    return what + then;
}

void MainWindow::offerRestore() {
    m_store.findLeftBehind([this](ProjectStore::AllLeftBehind all) {
        report(all.unreadable, *m_messages, *m_log);
        auto left = std::ranges::find_if(all.found, [](const ProjectStore::LeftBehind& one) {
            return !workBeyond(one.project, one.saved).isEmpty();
        });
        if (left == all.found.end()) // else what counts with a project alone, such as parameters
            left = std::ranges::find_if(all.found, [](const ProjectStore::LeftBehind& one) {
                return !ProjectStore::fileOf(one.project).isEmpty() && !isSameProject(one.project, one.saved);
            });
        if (m_snapshot || left == all.found.end() ||
            left->when < QDateTime::currentDateTime().addDays(-kDaysOffered))
            return;
        m_left = std::move(*left);
        m_welcome->offerRestore(tr("Restore %1").arg(namesOf(m_left->project)),
                                tr("It was open on %1 in a window that did not close as it should.")
                                        .arg(QLocale().toString(m_left->when, QLocale::ShortFormat)) +
                                    noteOfMissing(m_left->project) + noteOfLaterSave(*m_left));
    });
}

void MainWindow::offerLeftBehind(const QString& note) {
    if (m_left && m_left->file.isEmpty())
        return m_messages->showOffer(tr("Unsaved work on %1 could not be stored, and is lost when you close "
                                        "this window. Free space on the disk, or restore and save it.")
                                         .arg(namesOf(m_left->project)),
                                     tr("Restore"), [this] { restoreLeftBehind(); });
    m_store.findLeftBehind([this, note, replaced = m_replaced](ProjectStore::AllLeftBehind all) {
        const Project now = work();
        for (ProjectStore::LeftBehind& left : all.found) {
            if (replaced != m_replaced || (m_left && m_left->file.isEmpty()))
                break; // another scan, or an offer that is more urgent, has come
            const bool isSame = hasSameScans(left.project, now);
            Project other = left.project;
            if (isSame && m_areMeasuresKept)
                other.measures = now.measures; // which may be later ones
            if (!sharesScan(other, now) || workBeyond(other, isSame ? now : left.saved).isEmpty())
                continue;
            m_left = std::move(left);
            const QString when = QLocale().toString(m_left->when, QLocale::ShortFormat);
            m_messages->showOffer(
                (isSame ? tr("This scan has unsaved work of %1.").arg(when)
                        : tr("There is unsaved work of %1 on %2. Restore opens its scans instead.")
                              .arg(when, namesOf(m_left->project))) +
                    noteOfMissing(m_left->project) + noteOfLaterSave(*m_left),
                tr("Restore"), [this] { restoreLeftBehind(); }, [this] { discardLeftBehind(); });
            if (!note.isEmpty())
                m_messages->showNote(note);
            break;
        }
        report(all.unreadable, *m_messages, *m_log);
    });
}

void MainWindow::offerAgain() {
    if (!m_snapshot) // the offer of the start page stays
        return;
    const QString note = m_messages->isVisible() ? m_messages->text() : QString(); // such as of a failed save
    offerLeftBehind(note);
    if (!note.isEmpty())
        m_messages->showNote(note);
}

void MainWindow::discardLeftBehind() {
    const std::optional<ProjectStore::LeftBehind> left = m_left; // another one may be offered meanwhile
    if (!left)
        return;
    QMessageBox question(QMessageBox::Question, tr("Unsaved Work"),
                         tr("Discard the unsaved work on %1?").arg(namesOf(left->project)),
                         QMessageBox::Discard | QMessageBox::Cancel, this);
    question.setInformativeText(tr("It is deleted, and can't be restored."));
    question.setDefaultButton(QMessageBox::Cancel);
    if (question.exec() != QMessageBox::Discard)
        return offerAgain();
    m_store.discard(*left);
    m_left.reset();
    m_welcome->offerRestore({}, {});
    m_snapshot ? offerLeftBehind() : offerRestore(); // an older one
}

void MainWindow::restoreLeftBehind() {
    const std::optional<ProjectStore::LeftBehind> left = m_left; // another one may be offered meanwhile
    if (!left)
        return;
    Project restored = left->project;
    if (!mayClose() || !askForMissing(restored, scanFolder()))
        return offerAgain();
    const QString file = ProjectStore::fileOf(left->project);
    apply(restored, file, ProjectStore::digestOf(file), left); // it is kept until the scans are there
}

bool MainWindow::mayClose() {
    if (!waitForSaving())
        return false;
    if (!isModified())
        return true;
    const Project now = work();
    const AskedProject asked = this->asked(); // another scan may come while the question is open
    QMessageBox question(QMessageBox::Question, tr("Unsaved Work"), tr("The project has changed. Save it?"),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    const QString what = unsavedWork().join(QStringLiteral(", "));
    if (m_store.path().isEmpty()) {
        question.setText(tr("%1 has unsaved work: %2. Save it as a project?").arg(m_shownName, what));
        question.setInformativeText(tr("The files of scans are never changed. Discarded work is lost."));
    }
    question.setDefaultButton(QMessageBox::Save);
    const int answer = question.exec();
    if (answer == QMessageBox::Discard)
        m_givenUp = now;
    return answer == QMessageBox::Discard ||
           (answer == QMessageBox::Save &&
            isSavedBy([&](const SaveEnd& ended) { saveProject(asked, ended); }));
}

} // namespace scanloupe::gui
