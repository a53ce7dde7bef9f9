// Handles unsaved work: asks before it is discarded, autosaves it, and offers to restore it.
#include "engine/cloud/error.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/project_controller.h"
#include "gui/controls/patience.h"
#include "gui/panels/welcome_pane.h"

#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <algorithm>

namespace scanloupe::gui {

namespace {

// days for which the start page offers unsaved work; older work is offered only when its scan is opened
constexpr int kDaysOffered = 30;

/// A note that the project was saved after the autosave; empty if it was not.
QString noteOfLaterSave(const ProjectStore::LeftBehind& left) {
    if (!left.savedAt.isValid() || left.savedAt <= left.when)
        return {};
    return QLatin1Char(' ') + ProjectController::tr("The project was saved again later, on %1.")
                                  .arg(QLocale().toString(left.savedAt, QLocale::ShortFormat));
}

QString namesOf(const Project& project) {
    if (project.scans.front().sample)
        return ProjectController::tr("the sample scan");
    const QString name = shownText(project.scans.front().path.filename().string());
    const std::size_t others = project.scans.size() - 1;
    return others == 0 ? name : ProjectController::tr("%1 and %2 more").arg(name).arg(others);
}

/// A note that names missing scans; empty if none is missing.
QString noteOfMissing(const ProjectStore::LeftBehind& left) {
    constexpr std::size_t shown = 3;
    const auto& missing = left.missing;
    QStringList names;
    for (std::size_t i = 0; i < std::min(missing.size(), shown); ++i)
        names << shownText(missing[i].filename().string());
    if (missing.size() > shown)
        names << ProjectController::tr("%1 more").arg(missing.size() - shown);
    return names.isEmpty()
               ? QString()
               : QLatin1Char(' ') +
                     ProjectController::tr("Missing scans: %1.").arg(names.join(QStringLiteral(", ")));
}

/// Reports autosaves that cannot be read, and their paths.
void report(const std::vector<std::pair<QString, QString>>& unreadable, MessageBar& messages, LogPanel& log) {
    const QString next = ProjectController::tr(
        "Open it with the version of Scanloupe that wrote it, or delete it. The log shows the reason.");
    for (const auto& [file, why] : unreadable) {
        const QFileInfo info(shownText(file));
        const QString sentence = ProjectController::tr("The autosave %1 can't be read. It was left in %2.")
                                     .arg(info.fileName(), info.path());
        messages.showError(sentence, next);
        log.append(sentence + QLatin1Char(' ') + why);
    }
}

} // namespace

QStringList ProjectController::unsavedWork() const {
    if (!m_work.results())
        return {};
    Project now = work();
    if (m_parts.measuring.areKept())
        now.measures = m_saved.measures;
    if (m_recipeEdits && isSameButSelection(now.recipe->edits, *m_recipeEdits))
        now.recipe->edits = m_saved.recipe->edits;
    return workBeyond(now, m_saved);
}

bool ProjectController::isModified() const {
    if (!m_work.results() || m_store.path().isEmpty())
        return !unsavedWork().isEmpty();
    return !isSameProject(work(), m_saved);
}

void ProjectController::autosave() {
    m_parts.measuring.store().settle();
    const bool hasWork = isModified();
    m_window.widget.setWindowModified(hasWork);
    if (!hasWork && !m_parts.measuring.store().isKeeping())
        m_store.endAutosave();
    else if (const std::optional<Project> now = project())
        m_store.autosave(*now);
    m_store.storeAgain();
}

void ProjectController::endAutosave() {
    m_autosaveTimer.stop();
    m_store.endAutosave();
}

QString ProjectController::leaveUnsavedWork() {
    const QStringList unsaved = unsavedWork();
    if (unsaved.isEmpty() || (m_givenUp && workBeyond(work(), *m_givenUp).isEmpty()))
        return {};
    const QString what = tr("%1 had unsaved work: %2.").arg(m_shownName, unsaved.join(QStringLiteral(", "))) +
                         QLatin1Char(' ');
    const QString then = tr("Open it again to restore it.");
    if (const std::optional<Project> now = project())
        m_store.leaveAutosaveBehind(*now);
    m_window.log.append(what + then);
    return what + then;
}

void ProjectController::offerRestore() {
    m_store.findLeftBehind([this](const ProjectStore::AllLeftBehind& all) {
        report(all.unreadable, m_window.messages, m_window.log);
        auto left = std::ranges::find_if(all.found, [](const ProjectStore::LeftBehindPtr& one) {
            return !workBeyond(one->project, one->saved).isEmpty();
        });
        // otherwise offer work that is saved only in projects, such as parameters
        if (left == all.found.end())
            left = std::ranges::find_if(all.found, [](const ProjectStore::LeftBehindPtr& one) {
                return !ProjectStore::fileOf(one->project).isEmpty() &&
                       !isSameProject(one->project, one->saved);
            });
        if (m_work.results() || left == all.found.end() ||
            (*left)->when < QDateTime::currentDateTime().addDays(-kDaysOffered))
            return;
        m_left = *left;
        m_parts.welcome.offerRestore(tr("Restore %1").arg(namesOf(m_left->project)),
                                     tr("It was open on %1 when the program ended unexpectedly.")
                                             .arg(QLocale().toString(m_left->when, QLocale::ShortFormat)) +
                                         noteOfMissing(*m_left) + noteOfLaterSave(*m_left));
    });
}

void ProjectController::offerLeftBehind(const QString& note) {
    if (const auto unstored = m_store.newestUnstored()) {
        m_left = unstored;
        return m_window.messages.showOffer(tr("Unsaved work on %1 could not be stored and is only in memory. "
                                              "Free disk space, or restore the work and save it.")
                                               .arg(namesOf(m_left->project)),
                                           tr("Restore"), [this] { restoreLeftBehind(); });
    }
    m_store.findLeftBehind(
        [this, note, replaced = m_work.replaced()](const ProjectStore::AllLeftBehind& all) {
            const Project now = work();
            for (const ProjectStore::LeftBehindPtr& left : all.found) {
                if (replaced != m_work.replaced() || m_store.newestUnstored())
                    break; // another scan, or a more urgent offer, has appeared
                const bool isSame = hasSameScans(left->project, now);
                Project other = left->project;
                if (isSame && m_parts.measuring.areKept() && m_parts.measuring.store().when() >= left->when)
                    other.measures = now.measures; // the stored measures are newer
                if (!sharesScan(other, now) || workBeyond(other, isSame ? now : left->saved).isEmpty())
                    continue;
                m_left = left;
                const QString when = QLocale().toString(m_left->when, QLocale::ShortFormat);
                m_window.messages.showOffer(
                    (isSame ? tr("This scan has unsaved work from %1.").arg(when)
                            : tr("There is unsaved work from %1 on %2. Restore opens those scans instead.")
                                  .arg(when, namesOf(m_left->project))) +
                        noteOfMissing(*m_left) + noteOfLaterSave(*m_left),
                    tr("Restore"), [this] { restoreLeftBehind(); }, [this] { discardLeftBehind(); });
                if (!note.isEmpty())
                    m_window.messages.showNote(note);
                break;
            }
            report(all.unreadable, m_window.messages, m_window.log);
        });
}

void ProjectController::offerAgain() {
    if (!m_work.results()) // the start page still shows its offer
        return;
    // keep a displayed message, for example about a failed save
    const QString note = m_window.messages.isVisible() ? m_window.messages.text() : QString();
    offerLeftBehind(note);
    if (!note.isEmpty())
        m_window.messages.showNote(note);
}

void ProjectController::discardLeftBehind() {
    const ProjectStore::LeftBehindPtr left = m_left; // another autosave may be offered meanwhile
    if (!left)
        return;
    QMessageBox question(QMessageBox::Question, tr("Unsaved Work"),
                         tr("Discard the unsaved work on %1?").arg(namesOf(left->project)),
                         QMessageBox::Discard | QMessageBox::Cancel, &m_window.widget);
    question.setInformativeText(tr("It is deleted, and can't be restored."));
    question.setDefaultButton(QMessageBox::Cancel);
    if (question.exec() != QMessageBox::Discard)
        return offerAgain();
    m_store.discard(left);
    if (m_left == left)
        m_left.reset();
    m_parts.welcome.offerRestore({}, {});
    m_work.results() ? offerLeftBehind() : offerRestore(); // offers an older one
}

void ProjectController::restoreLeftBehind() {
    const ProjectStore::LeftBehindPtr left = m_left; // another autosave may be offered meanwhile
    if (!left)
        return;
    struct Around {
        std::string digest;
        bool isForeign;
        Project saved;
        std::vector<std::filesystem::path> missing;
    };
    const QString file = ProjectStore::fileOf(left->project);
    const auto lookAround = [file, project = left->project] {
        return Around{ProjectStore::digestOf(file), ProjectStore::isForeign(project),
                      ProjectStore::lastSaved(file), missingScans(project)};
    };
    Project restored = left->project;
    std::optional<Around> around;
    if (mayClose())
        around = readApart<Around>(&m_window.widget, readingWords(namesOf(restored)), lookAround);
    if (!around || !askForMissing(restored, scanFolder(), around->missing)) {
        m_givenUp.reset();
        return offerAgain();
    }
    // saving prompts for a name instead of replacing a file of another project; the autosave is kept until
    // the scans are open
    if (around->isForeign)
        apply(restored, {}, {}, left);
    else
        apply(restored, file, around->digest, left, around->saved);
}

bool ProjectController::mayClose() {
    m_parts.measuring.store().settle();
    const PatienceWords keeping{tr("Save Measures"), tr("The measurements are still being stored."),
                                tr("The disk may be slow. Cancel keeps the window open.")};
    if (waitUntil(
            &m_window.widget, [this] { return !m_parts.measuring.store().isKeeping(); }, keeping) !=
        Waited::done)
        return false;
    if (!waitForSaving().value_or(true))
        return false;
    while (isModified()) {
        const Project now = work();
        const AskedProject asked = this->asked(); // another scan may be opened while the question is open
        QMessageBox question(
            QMessageBox::Question, tr("Unsaved Work"), tr("The project has changed. Save it?"),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, &m_window.widget);
        const QString what = unsavedWork().join(QStringLiteral(", "));
        if (m_store.path().isEmpty()) {
            question.setText(tr("%1 has unsaved work: %2. Save it as a project?").arg(m_shownName, what));
            question.setInformativeText(tr("The files of scans are never changed. Discarded work is lost."));
        }
        question.setDefaultButton(QMessageBox::Save);
        const int answer = question.exec();
        if (answer == QMessageBox::Discard)
            m_givenUp = now;
        if (answer != QMessageBox::Save)
            return answer == QMessageBox::Discard;
        if (const auto isSaved = isSavedBy([&](const SaveEnd& ended) { saveProject(asked, ended); }))
            return *isSaved;
        // the user stopped waiting, and nothing is saved: ask again
    }
    return true;
}

bool ProjectController::mayLeaveUnstored() {
    m_store.storeAgain();
    const PatienceWords storing{tr("Unsaved Work"),
                                tr("Unsaved work on earlier scans is still being stored."),
                                tr("The disk may be slow. Cancel keeps the window open.")};
    if (waitUntil(
            &m_window.widget, [this] { return !m_store.isStoring(); }, storing) != Waited::done)
        return false;
    while (!m_store.unstored().empty()) {
        const ProjectStore::Unstored one = m_store.unstored().front();
        QMessageBox question(QMessageBox::Question, tr("Unsaved Work"),
                             tr("Unsaved work on %1 could not be stored. Save it as a project?")
                                 .arg(namesOf(one.left->project)),
                             QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel,
                             &m_window.widget);
        question.setInformativeText(one.failure.sentence + QLatin1Char('\n') +
                                    tr("Discarded work is lost. Cancel keeps the window open."));
        question.setDefaultButton(QMessageBox::Save);
        const int answer = question.exec();
        if (answer == QMessageBox::Save) {
            const QString path = gui::promptSavePath(&m_window.widget, tr("Save the project"),
                                                     tr("project.json"), projectFilter());
            const AskedProject left{one.left->project, path, {}, -1}; // -1: this is not the open project
            if (path.isEmpty() || !isSavedBy([&](const SaveEnd& ended) {
                                       startSaving(path, left, std::nullopt, ended);
                                   }).value_or(false))
                return false;
        } else if (answer != QMessageBox::Discard) {
            return false;
        }
        m_store.discard(one.left);
    }
    return true;
}

} // namespace scanloupe::gui
