// Projects in the window: what is open as one, and opening them.
#include "engine/cloud/error.h"
#include "engine/io/volume/write_empty_volume.h"
#include "gui/app/main_window.h"
#include "gui/app/new_grid_dialog.h"
#include "gui/app/view_area.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/patience.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/failure.h"
#include "gui/panels/parameters/forecast_line.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/welcome_pane.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <tuple>

namespace scanloupe::gui {

namespace {

constexpr int kAutosaveMs = 15'000;
constexpr std::size_t kMaxSteps = 200;       // of the history, in a project
constexpr std::size_t kMaxEntries = 200'000; // of these steps: some 40 MB
constexpr std::size_t kBytesPerEntry = 200;
constexpr const char* kPanels = "panels";
constexpr const char* kViews = "views";

Project::Step stepOf(const WorkHistory::Step& step) {
    const WorkState& state = step.state;
    return {state.recipe,    state.measures,           state.visible,
            state.isAligned, step.words.toStdString(), state.reference};
}
WorkHistory::Step stepOf(const Project::Step& step) {
    return {{step.recipe, step.measures, step.visible, step.isAligned, step.reference},
            QString::fromStdString(step.words)};
}

/// Layers of edits with their code, steps of their selections, and points of measures.
std::size_t entriesOf(const WorkHistory::Step& step) {
    std::size_t entries = 0;
    for (const auto& layer : step.state.recipe.edits.layers) {
        entries += 1 + layer->selection.steps.size();
        if (const auto* code = std::get_if<CudaFileAction>(&layer->action))
            entries += code->file.source.size() / kBytesPerEntry;
    }
    for (const Measure& measure : step.state.measures)
        entries += 1 + measure.points.size();
    return entries;
}

/// The first and the end of the steps around the current one that a project has.
std::pair<std::size_t, std::size_t> keptSteps(const WorkHistory& history) {
    const auto& steps = history.steps();
    std::size_t end = std::min(steps.size(), history.current() + kMaxSteps / 2);
    std::size_t begin = end - std::min(end, kMaxSteps), entries = 0;
    for (std::size_t i = begin; i < end; ++i)
        entries += entriesOf(steps[i]);
    while (entries > kMaxEntries && end - begin > 1) {
        const bool isFirstFarther = history.current() - begin >= end - 1 - history.current();
        entries -= entriesOf(steps[isFirstFarther ? begin++ : --end]);
    }
    return {begin, end};
}

} // namespace

void MainWindow::buildProjectActions(QMenu* file) {
    addTool(file, nullptr, tr("Open Pro&ject…"), {}, [this] {
        const QString path =
            QFileDialog::getOpenFileName(this, tr("Open a project"), scanFolder(), projectFilter());
        if (!path.isEmpty())
            openProject(path);
    });
    m_saveProjectAction = addTool(file, "save", tr("&Save Project"), QKeySequence::Save,
                                  [this] { saveProject(asked(), [](bool) {}); });
    m_saveProjectAsAction = addTool(file, nullptr, tr("Save Project As…"), QKeySequence::SaveAs,
                                    [this] { saveProjectAs(asked(), [](bool) {}); });
    m_saveProjectAction->setEnabled(false);
    m_saveProjectAsAction->setEnabled(false);
    m_autosaveTimer.setInterval(kAutosaveMs);
    connect(&m_autosaveTimer, &QTimer::timeout, this, &MainWindow::autosave);
    m_autosaveTimer.start();
}

Project MainWindow::work() const {
    Project project;
    m_playlist.describe(project);
    if (project.scans.empty()) {
        project.scans.push_back({m_snapshot->cloud ? m_snapshot->cloud->path : m_snapshot->volume->path});
        if (m_snapshot->cloud)
            project.scans.front().sample = m_snapshot->cloud->generated;
    }
    const int place = placeOfWork();
    for (const auto& [index, work] : m_cloudWork) {
        if (index == place)
            continue;
        if (index == Project::kTogether && project.together) {
            project.together->measures = work.measures;
            project.together->reference = work.reference;
        } else if (index >= 0 && index < int(project.scans.size())) {
            project.scans[std::size_t(index)].measures = work.measures;
            project.scans[std::size_t(index)].reference = work.reference;
        }
    }
    project.recipe = shownRecipe();
    project.measures = m_history.state().measures;
    project.reference = m_history.state().reference;
    m_edit->restoreBlocked(recipesOf(project));
    return project;
}

Recipe MainWindow::shownRecipe() const {
    Recipe recipe = m_parameters->recipe();
    if (m_parameters->forecastLine()->isRefused() && m_fitting) { // else it would not run when it is opened
        const Edits edits = std::move(recipe.edits);
        recipe = *m_fitting;
        recipe.edits = edits;
    }
    recipe.camera = m_camera.camera();
    return recipe;
}

std::optional<Project> MainWindow::project() const {
    if (!m_snapshot)
        return std::nullopt;
    Project project = work();
    if (project.scans.front().path.empty() && !project.scans.front().sample)
        return std::nullopt; // made by nothing that could make it again
    const auto [begin, end] = keptSteps(m_history);
    for (std::size_t i = begin; i < end; ++i)
        project.steps.push_back(stepOf(m_history.steps()[i]));
    project.step = m_history.current() - begin;
    QJsonObject window{{kViews, m_views->state()}, {kPanels, shownPanels()}};
    if (!m_store.path().isEmpty())
        window.insert(kProjectFile, m_store.path());
    project.window = QJsonDocument(window).toJson(QJsonDocument::Compact).toStdString();
    m_edit->restoreBlocked(recipesOf(project));
    return project;
}

void MainWindow::openProject(const QString& named) {
    const QString path = QFileInfo(named).absoluteFilePath(); // it outlives the working directory
    struct ReadProject {
        std::string digest; // of the file as it was read
        Project project;
        std::vector<std::filesystem::path> missing;
    };
    const auto read = [path] {
        ReadProject all{ProjectStore::digestOf(path), ProjectStore::read(path), {}};
        all.missing = missingScans(all.project);
        return all;
    };
    try {
        if (!mayClose()) // it may be this project that is saved: it is read afterwards
            return;
        auto all = readApart<ReadProject>(this, readingWords(path), read);
        if (all && askForMissing(all->project, QFileInfo(path).path(), std::move(all->missing)))
            apply(std::move(all->project), path, std::move(all->digest));
        else
            m_givenUp.reset();
    } catch (...) {
        m_givenUp.reset();
        const Failure failure = failureOf(std::current_exception(), {});
        m_messages->showError(failure.sentence, failure.nextStep);
    }
}

bool MainWindow::askForMissing(Project& project, const QString& folder,
                               std::vector<std::filesystem::path> missing) {
    while (!missing.empty()) {
        const QString name = shownText(missing.front().filename().string());
        const QString what =
            missing.size() == 1
                ? tr("A scan of the project can't be found: %1.").arg(name)
                : tr("%1 scans of the project can't be found, such as %2.").arg(missing.size()).arg(name);
        QMessageBox question(QMessageBox::Question, tr("Open a project"), what,
                             QMessageBox::Open | QMessageBox::Cancel, this);
        question.setInformativeText(tr("Choose a folder that is searched for them."));
        question.button(QMessageBox::Open)->setText(tr("Choose a Folder…"));
        if (missing.size() < project.scans.size())
            question.addButton(QMessageBox::Ignore)->setText(tr("Open the &Others"));
        const int answer = question.exec();
        if (answer == QMessageBox::Ignore)
            return true;
        if (answer != QMessageBox::Open)
            return false;
        const QString searched = QFileDialog::getExistingDirectory(this, tr("Folder of the scans"), folder);
        if (searched.isEmpty())
            continue;
        const auto search = [found = project, searched]() mutable {
            findMissingFiles(found, rawPath(searched));
            return std::pair(found, missingScans(found));
        };
        using Found = std::pair<Project, std::vector<std::filesystem::path>>;
        if (auto found = readApart<Found>(this, readingWords(searched), search))
            std::tie(project, missing) = *std::move(found);
    }
    return true;
}

void MainWindow::apply(Project project, const QString& path, std::string digest,
                       const ProjectStore::LeftBehindPtr& left, const Project& saved) {
    const QString note = m_edit->approveLayersOf(recipesOf(project));
    m_pending = PendingProject{project, path, std::move(digest), left, saved, note};
    m_opener.open(project, path);
}

void MainWindow::onOpeningEnded(OpeningEnd end) {
    const bool goesOn = end == OpeningEnd::unreadable && m_pending &&
                        m_pending->project.kind != ProjectKind::scan; // with the next one of the list
    if (end != OpeningEnd::shown && !goesOn)
        m_pending.reset();
}

void MainWindow::onProjectOpened() {
    std::optional<PendingProject> pending = std::exchange(m_pending, std::nullopt);
    if (!m_isReplaced) // a scan of the list that is open has come before the project
        pending.reset();
    if (WorkState state = m_history.state(); m_history.steps().size() == 1) {
        const bool isPlace = m_playlist.kind() == Playlist::Kind::place && m_playlist.size() > 0;
        state.visible = isPlace ? m_playlist.visible() : std::vector<bool>();
        state.isAligned = isPlace && m_playlist.showsAligned();
        m_history.reset(state);
    }
    const bool isOther = pending && pending->project.kind == ProjectKind::clouds &&
                         work().shown != pending->project.shown; // the one that was shown can't be read
    if (pending && hasSameScans(work(), pending->project) && !isOther) {
        const Project& opened = pending->project;
        m_keptScan.clear(); // the project has them
        m_areMeasuresKept = false;
        std::vector<WorkHistory::Step> steps;
        for (const Project::Step& step : opened.steps)
            steps.push_back(stepOf(step));
        if (steps.empty()) {
            WorkState state = m_history.state();
            state.measures = opened.measures;
            state.reference = opened.reference;
            m_history.reset(state);
        } else {
            m_history.restore(std::move(steps), opened.step);
        }
        showHistory();
        showReference();
        showMeasures();
        const QJsonObject window = QJsonDocument::fromJson(QByteArray::fromStdString(opened.window)).object();
        if (const QJsonValue panels = window.value(kPanels); panels.isArray())
            showPanels(panels.toArray());
        if (const QJsonValue views = window.value(kViews); views.isObject())
            m_views->restore(views.toObject());
        if (pending->path.isEmpty()) {
            m_store.close();
        } else {
            m_store.take(pending->path, std::move(pending->digest));
            if (m_store.isLocked())
                m_messages->showError(tr("Another window has this project open."),
                                      tr("Changes can be saved under another name."));
        }
        m_saved = pending->left ? pending->saved : work();
        m_recipeEdits.reset();
        if (pending->left) {
            m_store.adopt(pending->left);
            autosave();
            if (m_left == pending->left)
                m_left.reset();
            m_welcome->offerRestore({}, {});
            if (m_store.newestUnstored())
                offerLeftBehind();
        } else if (!m_store.isLocked()) {
            offerLeftBehind(pending->note);
        }
        if (!pending->note.isEmpty())
            m_messages->showNote(pending->note);
    } else if (m_isReplaced) {
        if (isOther)
            showCloudWork();
        m_store.close();
        if (m_playlist.size() == 0)
            readKeptMeasures();
        m_saved = work();
        m_recipeEdits.reset();
        if (work().scans.front().sample) // which has no work yet, and what was replaced is over
            m_store.endAutosave();
        offerLeftBehind();
    }
    m_isReplaced = false;
    m_givenUp.reset();
    showTitle();
}

void MainWindow::newGrid() {
    if (!mayClose())
        return;
    NewGridDialog dialog(this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString path = promptSavePath(this, tr("Save the grid"), QStringLiteral("painting.raw"),
                                        tr("Raw volumes (%1)").arg(QStringLiteral("*.raw")));
    if (path.isEmpty())
        return;
    const QFileInfo file(path), sidecar(file.dir(), file.completeBaseName() + QStringLiteral(".json"));
    if (sidecar.exists())
        return m_messages->showError(
            tr("'%1' is there already, and a grid of that name would replace it.").arg(sidecar.fileName()),
            tr("Choose another name."));
    try {
        const auto spacing = float(dialog.spacing());
        writeEmptyVolume(rawPath(path), dialog.dims(), {spacing, spacing, spacing});
    } catch (...) {
        const Failure failure = failureOf(std::current_exception(), tr("Choose another folder."));
        return m_messages->showError(failure.sentence, failure.nextStep);
    }
    m_opener.open({path});
}

void MainWindow::showTitle() {
    const QString project =
        m_store.path().isEmpty() ? QString() : QFileInfo(shownText(m_store.path())).fileName() + tr(": ");
    setWindowTitle(tr("%1%2[*] – Scanloupe").arg(project, m_shownName));
    setWindowModified(isModified());
}

} // namespace scanloupe::gui
