// Work that no file has: asked about before it is given up, saved automatically, and offered again.
#include "engine/cloud/error.h"
#include "gui/app/main_window.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/jobs/failure.h"
#include "gui/models/project_work.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/welcome_pane.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QMessageBox>

namespace scanloupe::gui {

namespace {

constexpr int kDaysOffered = 30; // on the start page; later when its scan is opened

/// Path of the project that an autosave is of; empty: there is none.
QString projectOf(const ProjectStore::LeftBehind& left) {
    const QByteArray window = QByteArray::fromStdString(left.project.window);
    const QString file = QJsonDocument::fromJson(window).object().value(kProjectFile).toString();
    return QDir::isRelativePath(file) ? QString() : file; // of another working directory
}

/// Says that the project was saved after the autosave; empty: it was not.
QString noteOfLaterSave(const ProjectStore::LeftBehind& left) {
    const QFileInfo file(projectOf(left));
    if (!file.isFile() || file.lastModified() <= left.when)
        return {};
    return QLatin1Char(' ') + MainWindow::tr("Its project was saved later, on %1.")
                                  .arg(QLocale().toString(file.lastModified(), QLocale::ShortFormat));
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
    setWindowModified(isModified());
    if (const std::optional<Project> now = project())
        m_store.autosave(*now);
    if (!m_left || !m_left->file.isEmpty())
        return;
    try { // what could not be left behind is tried again
        m_left->file = m_store.leaveBehind(m_left->project);
    } catch (const Error&) {
    }
}

QString MainWindow::leaveUnsavedWork() {
    const QStringList unsaved = unsavedWork();
    if (unsaved.isEmpty() || (m_givenUp && workBeyond(work(), *m_givenUp).isEmpty()))
        return {};
    const QString what = tr("%1 had unsaved work: %2.").arg(m_shownName, unsaved.join(QStringLiteral(", "))) +
                         QLatin1Char(' ');
    QString then = tr("Open it again to restore it.");
    if (const std::optional<Project> now = project(); !now) {
        then = tr("That of a generated scan can't be restored.");
    } else {
        try {
            m_store.leaveBehind(*now);
            m_store.endAutosave(); // an older state of the same
        } catch (...) {
            then = failureOf(std::current_exception(), {}).sentence;
            m_store.leaveAutosave();
            m_left = ProjectStore::LeftBehind{{}, QDateTime::currentDateTime(), *now};
        }
    }
    m_log->append(what + then);
    return what + then;
}

void MainWindow::offerRestore() {
    ProjectStore::AllLeftBehind all = m_store.leftBehind();
    for (const Failure& failure : all.failures) {
        m_messages->showError(failure.sentence, failure.nextStep);
        m_log->append(failure.sentence + QLatin1Char(' ') + failure.nextStep);
    }
    if (all.found.empty() || all.found.front().when < QDateTime::currentDateTime().addDays(-kDaysOffered))
        return;
    m_left = std::move(all.found.front());
    const QString name = shownText(m_left->project.scans.front().path.filename().string());
    const std::size_t others = m_left->project.scans.size() - 1;
    const QString what = others == 0 ? name : tr("%1 and %2 more").arg(name).arg(others);
    m_welcome->offerRestore(tr("Restore %1").arg(what),
                            tr("It was open on %1 in a window that did not close as it should.")
                                    .arg(QLocale().toString(m_left->when, QLocale::ShortFormat)) +
                                noteOfLaterSave(*m_left));
}

void MainWindow::offerLeftBehind() {
    if (m_left && m_left->file.isEmpty())
        return m_messages->showOffer(
            tr("Unsaved work on %1 could not be stored, and is lost when you close "
               "this window. Free space on the disk, or restore and save it.")
                .arg(shownText(m_left->project.scans.front().path.filename().string())),
            tr("Restore"), [this] { restoreLeftBehind(); });
    const Project now = work();
    for (ProjectStore::LeftBehind& left : m_store.leftBehind().found) {
        Project other = left.project;
        if (m_areMeasuresKept)
            other.measures = now.measures; // which may be later ones
        if (!hasSameScans(other, now) || workBeyond(other, now).isEmpty())
            continue;
        m_left = std::move(left);
        return m_messages->showOffer(tr("This scan has unsaved work of %1.")
                                             .arg(QLocale().toString(m_left->when, QLocale::ShortFormat)) +
                                         noteOfLaterSave(*m_left),
                                     tr("Restore"), [this] { restoreLeftBehind(); });
    }
}

void MainWindow::restoreLeftBehind() {
    const std::optional<ProjectStore::LeftBehind> left = m_left; // another one may be offered meanwhile
    if (!left || !mayClose())
        return;
    Project restored = left->project;
    if (!askForMissing(restored, scanFolder()))
        return;
    apply(restored, projectOf(*left), left); // it is kept until the scans are there
}

bool MainWindow::mayClose() {
    if (!isModified())
        return true;
    const Project now = work();
    const AskedProject asked = this->asked(); // another scan may come while the question is open
    QMessageBox question(QMessageBox::Question, tr("Unsaved Work"), tr("The project has changed. Save it?"),
                         QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    const QString what = unsavedWork().join(QStringLiteral(", "));
    if (now.scans.front().path.empty()) {
        question.setText(tr("%1 has unsaved work: %2.").arg(m_shownName, what));
        question.setInformativeText(tr("A generated scan can't be part of a project. To keep what you made, "
                                       "cancel, and choose File > Save Points As."));
        question.setStandardButtons(QMessageBox::Discard | QMessageBox::Cancel);
    } else if (m_store.path().isEmpty()) {
        question.setText(tr("%1 has unsaved work: %2. Save it as a project?").arg(m_shownName, what));
        question.setInformativeText(tr("The files of scans are never changed. Discarded work is lost."));
    }
    question.setDefaultButton(question.standardButtons() & QMessageBox::Save ? QMessageBox::Save
                                                                             : QMessageBox::Cancel);
    const int answer = question.exec();
    if (answer == QMessageBox::Discard)
        m_givenUp = now;
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && saveProject(asked));
}

} // namespace scanloupe::gui
