// Work that no file has: asked about before it is given up, saved automatically, and offered again.
#include "gui/app/main_window.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/models/project_work.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/welcome_pane.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QMessageBox>

namespace scanloupe::gui {

namespace {

constexpr int kDaysOffered = 30; // on the start page; later when its scan is opened

} // namespace

QStringList MainWindow::unsavedWork() const {
    if (!m_snapshot)
        return {};
    Project now = work();
    if (m_areMeasuresKept)
        now.measures = m_saved.measures;
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
}

QString MainWindow::leaveUnsavedWork() {
    const QStringList unsaved = unsavedWork();
    const std::optional<Project> now = unsaved.isEmpty() ? std::nullopt : project();
    if (!now || (m_givenUp && workBeyond(*now, *m_givenUp).isEmpty()))
        return {};
    m_store.leaveBehind(*now);
    const QString note = tr("%1 had unsaved work: %2. Open it again to restore it.")
                             .arg(m_shownName, unsaved.join(QStringLiteral(", ")));
    m_log->append(note);
    return note;
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
                                .arg(QLocale().toString(m_left->when, QLocale::ShortFormat)));
}

void MainWindow::offerLeftBehind() {
    const Project now = work();
    for (ProjectStore::LeftBehind& left : m_store.leftBehind().found) {
        Project other = left.project;
        if (m_areMeasuresKept)
            other.measures = now.measures; // which may be later ones
        if (!hasSameScans(other, now) || workBeyond(other, now).isEmpty())
            continue;
        m_left = std::move(left);
        return m_messages->showOffer(tr("This scan has unsaved work of %1.")
                                         .arg(QLocale().toString(m_left->when, QLocale::ShortFormat)),
                                     tr("Restore"), [this] { restoreLeftBehind(); });
    }
}

void MainWindow::restoreLeftBehind() {
    if (!m_left || !mayClose())
        return;
    Project restored = m_left->project;
    if (!askForMissing(restored, scanFolder()))
        return;
    const QJsonObject window = QJsonDocument::fromJson(QByteArray::fromStdString(restored.window)).object();
    apply(restored, window.value(kProjectFile).toString(), m_left); // it is kept until the scans are there
}

bool MainWindow::mayClose() {
    if (!isModified())
        return true;
    const Project now = work();
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
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && saveProject());
}

} // namespace scanloupe::gui
