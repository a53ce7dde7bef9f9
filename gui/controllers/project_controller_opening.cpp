// Opens projects: finds their scans, and applies their work after the scans are open.
#include "engine/cloud/error.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/edit_controller.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/project_controller.h"
#include "gui/controllers/scan_opener.h"
#include "gui/controls/patience.h"
#include "gui/panels/welcome_pane.h"
#include "gui/views/view_area.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMessageBox>
#include <QPushButton>
#include <tuple>
#include <utility>

namespace scanloupe::gui {

namespace {

WorkHistory::Step historyStepOf(const Project::Step& step) {
    return {{step.recipe, step.measures, step.visible, step.isAligned, step.reference},
            QString::fromStdString(step.words)};
}

} // namespace

void ProjectController::openProject(const QString& named) {
    // stays valid when the working directory changes
    const QString path = QFileInfo(named).absoluteFilePath();
    struct ReadProject {
        std::string digest; // digest of the file as it was read
        Project project;
        std::vector<std::filesystem::path> missing;
    };
    const auto read = [path] {
        ReadProject all{ProjectStore::digestOf(path), ProjectStore::read(path), {}};
        all.missing = missingScans(all.project);
        return all;
    };
    try {
        if (!mayClose()) // saving may write this very project, so read it afterwards
            return;
        auto all = readApart<ReadProject>(&m_window.widget, readingWords(path), read);
        if (all && askForMissing(all->project, QFileInfo(path).path(), std::move(all->missing)))
            apply(std::move(all->project), path, std::move(all->digest));
        else
            m_givenUp.reset();
    } catch (...) {
        m_givenUp.reset();
        m_window.showError(std::current_exception());
    }
}

bool ProjectController::askForMissing(Project& project, const QString& folder,
                                      std::vector<std::filesystem::path> missing) {
    while (!missing.empty()) {
        const QString name = shownText(missing.front().filename().string());
        const QString what =
            missing.size() == 1
                ? tr("A scan of the project is missing: %1.").arg(name)
                : tr("%1 scans of the project are missing, such as %2.").arg(missing.size()).arg(name);
        QMessageBox question(QMessageBox::Question, tr("Open a project"), what,
                             QMessageBox::Open | QMessageBox::Cancel, &m_window.widget);
        question.setInformativeText(tr("Choose a folder to search for them."));
        question.button(QMessageBox::Open)->setText(tr("Choose a Folder…"));
        if (missing.size() < project.scans.size())
            question.addButton(QMessageBox::Ignore)->setText(tr("Open &Without Them"));
        const int answer = question.exec();
        if (answer == QMessageBox::Ignore)
            return true;
        if (answer != QMessageBox::Open)
            return false;
        const QString searched =
            QFileDialog::getExistingDirectory(&m_window.widget, tr("Folder to search for the scans"), folder);
        if (searched.isEmpty())
            continue;
        const auto search = [found = project, searched]() mutable {
            findMissingFiles(found, rawPath(searched));
            return std::pair(found, missingScans(found));
        };
        using Found = std::pair<Project, std::vector<std::filesystem::path>>;
        if (auto found = readApart<Found>(&m_window.widget, readingWords(searched), search))
            std::tie(project, missing) = *std::move(found);
    }
    return true;
}

void ProjectController::apply(Project project, const QString& path, std::string digest,
                              const ProjectStore::LeftBehindPtr& left, const Project& saved) {
    const QString note = m_parts.edit.approveLayersOf(recipesOf(project));
    m_pending = PendingProject{project, path, std::move(digest), left, saved, note};
    m_parts.opener.open(project, path);
}

void ProjectController::onOpeningEnded(OpeningEnd end) {
    // A list continues with its next scan.
    const bool hasNextScan =
        end == OpeningEnd::unreadable && m_pending && m_pending->project.kind != ProjectKind::scan;
    if (end != OpeningEnd::shown && !hasNextScan)
        m_pending.reset();
}

void ProjectController::onProjectOpened() {
    std::optional<PendingProject> pending = std::exchange(m_pending, std::nullopt);
    if (!m_isReplaced) // the scan belongs to the open list, not to the project
        pending.reset();
    if (WorkState state = m_work.history().state(); m_work.history().steps().size() == 1) {
        const bool isPlace = m_playlist.kind() == Playlist::Kind::place && m_playlist.size() > 0;
        state.visible = isPlace ? m_playlist.visible() : std::vector<bool>();
        state.isAligned = isPlace && m_playlist.showsAligned();
        m_work.begin(state);
    }
    const bool isOther = pending && pending->project.kind == ProjectKind::clouds &&
                         work().shown != pending->project.shown; // the displayed scan cannot be read
    if (pending && hasSameScans(work(), pending->project) && !isOther) {
        takeProject(*pending);
    } else if (m_isReplaced) {
        if (isOther)
            m_work.addOfCloud();
        m_store.close();
        if (m_playlist.size() == 0)
            m_parts.measuring.readKept(m_parts.opener.name());
        m_saved = work();
        m_recipeEdits.reset();
        if (work().scans.front().sample) // a generated scan has no work yet, and the replaced work was
                                         // handled before
            m_store.endAutosave();
        offerLeftBehind();
    }
    m_isReplaced = false;
    m_givenUp.reset();
    showTitle();
}

void ProjectController::takeProject(PendingProject& pending) {
    const Project& opened = pending.project;
    m_parts.measuring.stopKeeping(); // the project has the measures
    std::vector<WorkHistory::Step> steps;
    for (const Project::Step& step : opened.steps)
        steps.push_back(historyStepOf(step));
    if (steps.empty()) {
        WorkState state = m_work.history().state();
        state.measures = opened.measures;
        state.reference = opened.reference;
        m_work.begin(state);
    } else {
        m_work.restore(std::move(steps), opened.step);
    }
    const QJsonObject window = QJsonDocument::fromJson(QByteArray::fromStdString(opened.window)).object();
    if (const QJsonValue panels = window.value(kPanels); panels.isArray())
        emit panelsWanted(panels.toArray());
    if (const QJsonValue views = window.value(kViews); views.isObject())
        m_window.views.restore(views.toObject());
    if (pending.path.isEmpty()) {
        m_store.close();
    } else {
        m_store.take(pending.path, std::move(pending.digest));
        if (m_store.isLocked())
            m_window.messages.showError(tr("Another window has this project open."),
                                        tr("Save your changes under another name."));
    }
    m_saved = pending.left ? pending.saved : work();
    m_recipeEdits.reset();
    if (pending.left) {
        m_store.adopt(pending.left);
        autosave();
        if (m_left == pending.left)
            m_left.reset();
        m_parts.welcome.offerRestore({}, {});
        if (m_store.newestUnstored())
            offerLeftBehind();
    } else if (!m_store.isLocked()) {
        offerLeftBehind(pending.note);
    }
    if (!pending.note.isEmpty())
        m_window.messages.showNote(pending.note);
}

void ProjectController::takePoses() {
    if (!m_store.path().isEmpty() || !m_work.results())
        return;
    const Project now = work();
    m_saved.scans.resize(now.scans.size());
    for (std::size_t i = 0; i < now.scans.size(); ++i)
        m_saved.scans[i].pose = now.scans[i].pose;
    showModified();
}

} // namespace scanloupe::gui
