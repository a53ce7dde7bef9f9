// Opens scans and projects, and collects the open scans and edits as a project.
#include "gui/controllers/project_controller.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/volume/write_empty_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/base/raw_text.h"
#include "gui/controllers/camera_controller.h"
#include "gui/controllers/edit_controller.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/recent_files.h"
#include "gui/controllers/run_controller.h"
#include "gui/controllers/scan_opener.h"
#include "gui/controls/patience.h"
#include "gui/dialogs/new_grid_dialog.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/panels/welcome_pane.h"
#include "gui/views/view_area.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <algorithm>
#include <tuple>

namespace scanloupe::gui {

namespace {

constexpr int kAutosaveMs = 15'000;
constexpr std::size_t kMaxSteps = 200;       // maximum steps of the history in a project
constexpr std::size_t kMaxEntries = 200'000; // maximum sum of entriesOf() over these steps: about 40 MB
constexpr std::size_t kBytesPerEntry = 200;

Project::Step stepOf(const WorkHistory::Step& step) {
    const WorkState& state = step.state;
    return {state.recipe,    state.measures,           state.visible,
            state.isAligned, step.words.toStdString(), state.reference};
}
/// Size of a state: number of layers and of their code lines, selection steps and points of measures.
std::size_t entriesOf(const WorkHistory::Step& step) {
    std::size_t entries = 0;
    for (const auto& layer : step.state.recipe->edits.layers) {
        entries += 1 + layer->selection.steps.size();
        if (const auto* code = std::get_if<CudaFileAction>(&layer->action))
            entries += code->file.source.size() / kBytesPerEntry;
    }
    for (const Measure& measure : step.state.measures)
        entries += 1 + measure.points.size();
    return entries;
}

/// The range of steps around the current one that a project stores: first and end.
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

ProjectController::ProjectController(const WindowContext& window, ProjectParts parts)
    : Controller(window), m_parts(std::move(parts)), m_playlist(window.playlist) {
    connect(&window.jobs.runner(), &PipelineRunner::opened, this, &ProjectController::onScanOpened);
    connect(&window.jobs.runner(), &PipelineRunner::advanced, this, [this](const QString& name) {
        m_shownName = name;
        showTitle();
    });
    connect(&window.jobs.loader(), &ScanLoader::openingEnded, this,
            [this](int, OpeningEnd end) { onOpeningEnded(end); });
    window.jobs.exporter().setOpenFiles([this] { return openFiles(); });
    connect(&m_playlist, &Playlist::replaced, this, [this] {
        if (m_pending)
            m_work.takeClouds(m_pending->project);
    });
    connect(&m_work, &Work::historyChanged, this, &ProjectController::showModified);
    connect(&m_parts.measuring, &MeasureController::kept, this, &ProjectController::showModified);
    connect(&m_parts.measuring, &MeasureController::lost, &m_store, &ProjectStore::leaveBehind);
    connect(&m_parts.opener, &ScanOpener::began, this, [this] { m_pending.reset(); });
    window.report(m_parts.opener, &ScanOpener::failed);
    connect(&m_parts.opener, &ScanOpener::logged, &window.log, &LogPanel::append);
    connect(&m_parts.welcome, &WelcomePane::restoreRequested, this, &ProjectController::restoreLeftBehind);
    connect(&m_parts.welcome, &WelcomePane::discardRequested, this, &ProjectController::discardLeftBehind);
    window.report(m_store, &ProjectStore::autosaveFailed);
    connect(&m_store, &ProjectStore::leavingFailed, this, [this](const QString& sentence) {
        m_window.log.append(sentence);
        if (m_work.results())
            offerLeftBehind();
    });
    m_autosaveTimer.setInterval(kAutosaveMs);
    connect(&m_autosaveTimer, &QTimer::timeout, this, &ProjectController::autosave);
    m_autosaveTimer.start();
}

void ProjectController::buildProjectActions(QMenu* file) {
    m_window.addTool(file, nullptr, tr("Open Pro&ject…"), {}, [this] {
        const QString path = QFileDialog::getOpenFileName(&m_window.widget, tr("Open a project"),
                                                          scanFolder(), projectFilter());
        if (!path.isEmpty())
            openProject(path);
    });
    m_saveProjectAction = m_window.addTool(file, "save", tr("&Save Project"), QKeySequence::Save,
                                           [this] { saveProject(asked(), [](bool) {}); });
    m_saveProjectAsAction = m_window.addTool(file, nullptr, tr("Save Project As…"), QKeySequence::SaveAs,
                                             [this] { saveProjectAs(asked(), [](bool) {}); });
    m_saveProjectAction->setEnabled(false);
    m_saveProjectAsAction->setEnabled(false);
}

void ProjectController::open(const QStringList& paths, std::optional<SeveralAs> as) {
    bool isProject = false;
    if (paths.size() == 1) {
        const auto isOne = [path = rawPath(paths.front())] { return isProjectFile(path); };
        const auto answer = readApart<bool>(&m_window.widget, readingWords(paths.front()), isOne);
        if (!answer)
            return;
        isProject = *answer;
    }
    if (isProject)
        openProject(paths.front());
    else if (mayClose())
        m_parts.opener.open(paths, as);
}

void ProjectController::openSample(const synth::ScanParams& params) {
    if (mayClose())
        m_parts.opener.openSample(params);
}

QString ProjectController::scanFolder() const {
    return QFileInfo(m_parts.recent.paths().value(0)).path();
}

void ProjectController::chooseFiles() {
    if (mayClose())
        m_parts.opener.chooseFiles(scanFolder());
}

void ProjectController::chooseFolder() {
    if (mayClose())
        m_parts.opener.chooseFolder(scanFolder());
}

void ProjectController::drop(const QStringList& paths) {
    const QString& path = paths.first();
    const std::pair scan = m_work.scan();
    const auto isOne = [path] { return isRecipe(path) && !isProjectFile(rawPath(path)); };
    const auto isRecipeAlone = paths.size() == 1 && lowerEnding(rawPath(path)) == ".json"
                                   ? readApart<bool>(&m_window.widget, readingWords(path), isOne)
                                   : std::optional(false);
    if (!isRecipeAlone)
        return;
    if (*isRecipeAlone && scan != m_work.scan())
        return showRecipeOfAnotherScan();
    if (*isRecipeAlone)
        openRecipe(paths.first());
    else if (paths.size() == 1 && lowerEnding(rawPath(paths.first())) == ".cu")
        m_parts.edit.addCudaFile(paths.first());
    else
        open(paths);
}

std::vector<std::filesystem::path> ProjectController::openFiles(const QString& replaced) const {
    std::vector<std::filesystem::path> files = openPaths(replaced);
    std::error_code unknown;
    if (m_work.results()) // a survey has one result for all of its scans
        for (const auto& entry : std::filesystem::directory_iterator(files.front(), unknown))
            files.push_back(entry.path());
    return files;
}

std::vector<std::filesystem::path> ProjectController::openPaths(const QString& replaced) const {
    std::vector<std::filesystem::path> files;
    if (m_work.results())
        files.emplace_back(m_work.results()->cloud ? m_work.results()->cloud->path
                                                   : m_work.results()->volume->path);
    for (int i = 0; i < m_playlist.size(); ++i)
        files.push_back(m_playlist.path(i));
    for (const std::string& file : filesOf(m_work.recipe().edits.layers))
        files.emplace_back(file);
    if (const std::optional<Project> all =
            project()) // includes the files of other scans and of steps that undo may restore
        for (const std::filesystem::path& file : filesOf(*all))
            files.push_back(file);
    for (const QString& file : {m_store.path(), m_recipeFile})
        if (file != replaced)
            files.push_back(rawPath(file));
    return files;
}

QString ProjectController::promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                                          const QString& filter) const {
    QString path = gui::promptSavePath(parent, title, suggested, filter);
    const Failure refusal = path.isEmpty() ? Failure{} : checkOutput(path, outputCheckFor(openFiles()));
    if (refusal.sentence.isEmpty())
        return path;
    m_window.showError(refusal);
    return {};
}

Project ProjectController::work() const {
    Project project;
    m_playlist.describe(project);
    if (project.scans.empty()) {
        project.scans.push_back(
            {m_work.results()->cloud ? m_work.results()->cloud->path : m_work.results()->volume->path});
        if (m_work.results()->cloud)
            project.scans.front().sample = m_work.results()->cloud->generated;
    }
    m_work.describe(project);
    project.recipe = m_parts.run.shownRecipe();
    m_parts.edit.restoreBlocked(recipesOf(project));
    return project;
}

std::optional<Project> ProjectController::project() const {
    if (!m_work.results())
        return std::nullopt;
    Project project = work();
    if (project.scans.front().path.empty() && !project.scans.front().sample)
        return std::nullopt; // there is no file or sample to open again
    const auto [begin, end] = keptSteps(m_work.history());
    for (std::size_t i = begin; i < end; ++i)
        project.steps.push_back(stepOf(m_work.history().steps()[i]));
    project.step = m_work.history().current() - begin;
    QJsonObject window{{kViews, m_window.views.state()}, {kPanels, m_parts.shownPanels()}};
    if (!m_store.path().isEmpty())
        window.insert(kProjectFile, m_store.path());
    project.window = QJsonDocument(window).toJson(QJsonDocument::Compact).toStdString();
    m_parts.edit.restoreBlocked(recipesOf(project));
    return project;
}

void ProjectController::onScanOpened(const QString& name) {
    m_isReplaced = m_playlist.isLeaving();
    const QString left = m_isReplaced ? leaveUnsavedWork() : QString();
    if (m_isReplaced)
        m_recipeFile.clear();
    else // without results, take the current recipe: it may have changed while the next scan was read
        m_playlist.keepRecipe(m_parts.run.withPictureSize(m_parts.run.shownRecipe()));
    m_shownName = name;
    m_window.messages.clear();
    if (!left.isEmpty())
        m_window.messages.showNote(left);
    m_work.open(m_window.jobs.runner().recipe(), m_isReplaced);
    if (!m_parts.opener.name().isEmpty())
        m_parts.recent.add(m_parts.opener.name());
    m_isOpened = true;
}

void ProjectController::takeResults() {
    for (QAction* action :
         {m_saveProjectAction, m_saveProjectAsAction, m_saveRecipeAction, m_openRecipeAction})
        action->setEnabled(true);
    m_window.messages.runSucceeded();
    if (std::exchange(m_isOpened, false))
        onProjectOpened();
}

void ProjectController::showModified() {
    m_window.widget.setWindowModified(isModified());
}

void ProjectController::newGrid() {
    if (!mayClose())
        return;
    NewGridDialog dialog(&m_window.widget);
    if (dialog.exec() != QDialog::Accepted)
        return;
    const QString path =
        promptSavePath(&m_window.widget, tr("Save the volume"), QStringLiteral("painting.raw"),
                       tr("Raw volumes (%1)").arg(QStringLiteral("*.raw")));
    if (path.isEmpty())
        return;
    const QFileInfo file(path), sidecar(file.dir(), file.completeBaseName() + QStringLiteral(".json"));
    if (sidecar.exists())
        return m_window.messages.showError(
            tr("'%1' already exists, and the new volume would replace it.").arg(sidecar.fileName()),
            tr("Choose another name."));
    try {
        const auto spacing = float(dialog.spacing());
        writeEmptyVolume(rawPath(path), dialog.dims(), {spacing, spacing, spacing});
    } catch (...) {
        return m_window.showError(std::current_exception(), tr("Choose another folder."));
    }
    m_parts.opener.open({path});
}

void ProjectController::showTitle() {
    const QString project =
        m_store.path().isEmpty() ? QString() : QFileInfo(shownText(m_store.path())).fileName() + tr(": ");
    m_window.widget.setWindowTitle(tr("%1%2[*] – Scanloupe").arg(project, m_shownName));
    showModified();
}

} // namespace scanloupe::gui
