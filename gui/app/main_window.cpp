// Assembles the main window: docks, drops, and what is kept between sessions.
#include "gui/app/main_window.h"

#include "engine/edit/edit_list.h"
#include "engine/io/common/file_ending.h"
#include "gui/app/change_session.h"
#include "gui/app/difference_dialog.h"
#include "gui/app/export_dialog.h"
#include "gui/app/inspect_session.h"
#include "gui/app/view_area.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/patience.h"
#include "gui/controls/save_file.h"
#include "gui/controls/theme.h"
#include "gui/jobs/compare_session.h"
#include "gui/jobs/failure.h"
#include "gui/jobs/forecast_session.h"
#include "gui/models/partial_result.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/compare_bar.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/device_box.h"
#include "gui/panels/edit_panel.h"
#include "gui/panels/inspect_panel.h"
#include "gui/panels/job_status.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/player_bar.h"
#include "gui/panels/scan_list_panel.h"
#include "gui/panels/timings_panel.h"
#include "gui/panels/welcome_pane.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonDocument>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

constexpr const char* kViewsKey = "views";
/// Smallest size: a screen of 800 x 600 without its bars.
constexpr QSize kSmallest{760, 540};
/// Windows narrower than this, in pixels, have the timings below the data, too: beside both docks there is no
/// room for them.
constexpr int kNarrow = 1000;

} // namespace

MainWindow::MainWindow(const BackendWish& wanted, Theme& theme, QWidget* parent)
    : QMainWindow(parent), m_theme(theme), m_sought(loadsSycl(wanted) ? std::optional(wanted) : std::nullopt),
      m_jobs(m_sought ? BackendWish(Backend::cpu) : wanted), m_playlist(m_jobs.loader(), m_jobs.runner()),
      m_opener(m_jobs.loader(), m_playlist, this), m_pages(new QStackedWidget), m_welcome(new WelcomePane),
      m_views(new ViewArea({m_camera, m_scheduler, m_interop})), m_player(new PlayerBar(m_playlist)),
      m_messages(new MessageBar(m_pages)), m_status(new JobStatus), m_compareBar(new CompareBar) {
    setWindowTitle("Scanloupe[*]");
    setAcceptDrops(true);
    resize(QSize(1500, 900).boundedTo(screen()->availableSize() * 0.95));
    m_pages->addWidget(m_welcome);
    m_pages->addWidget(m_views);
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_pages, 1);
    auto* playerPlace = new QWidget; // a presentation hides it; the bars show and hide themselves
    auto* playerColumn = new QVBoxLayout(playerPlace);
    playerColumn->setContentsMargins(0, 0, 0, 0);
    playerColumn->addWidget(m_compareBar);
    playerColumn->addWidget(m_player);
    column->addWidget(playerPlace);
    setCentralWidget(centre);
    statusBar()->addPermanentWidget(m_status, 1);
    m_transfer = new QLabel;
    m_transfer->setObjectName(QStringLiteral("transfer"));
    statusBar()->addPermanentWidget(m_transfer);
    m_device = new DeviceBox(m_jobs.runner().backend());
    statusBar()->addPermanentWidget(m_device);
    connect(m_device, &DeviceBox::chosen, this, &MainWindow::chooseDevice);
    m_transferTimer.setSingleShot(true);
    m_transferTimer.setInterval(150);
    connect(&m_transferTimer, &QTimer::timeout, this, [this] {
        m_transfer->setText(transferText(m_views->transfers()));
        m_transfer->setToolTip(transferDetails(m_views->transfers()));
    });
    connect(m_views, &ViewArea::transferred, this, [this] {
        if (!m_transferTimer.isActive())
            m_transferTimer.start();
    });
    m_welcome->setRecentFiles(m_recent.paths());

    buildDocks();
    buildActions();
    connectPanels();
    connectJobs();
    connectPlaylist();
    connectMeasures();
    m_edit->connectAll();
    m_jobs.runner().setTrustedCode(m_edit->trustedCode());
    connectForecast();
    connectCompare();
    restoreLayout();
    frameResults();
    if (m_sought)
        seekBackend();
    else
        m_log->append(QString::fromStdString(m_jobs.runner().backend().reason));
    // as soon as the window has been painted, since the first picture would wait for it
    QTimer::singleShot(0, this, [this] {
        findInterop();
        m_views->prepare();
    });
}

MainWindow::~MainWindow() {
    hide();                     // the field that loses the focus by it may change the recipe
    delete takeCentralWidget(); // the views, before what they share
}

void MainWindow::buildDocks() {
    m_parameters = new ParameterPanel;
    m_data = new DataPanel;
    const SavePathPrompt promptPath = [this](auto&&... question) { return promptSavePath(question...); };
    m_timings = new TimingsPanel(promptPath);
    m_align = new AlignPanel(m_playlist, promptPath);
    m_log = new LogPanel(promptPath);
    m_measures = new MeasuresPanel(promptPath);
    auto* inspect = new InspectPanel;
    m_editing = new EditPanel;
    m_edit = new EditSession(*this, *m_editing, *m_views, *m_messages, m_jobs.exporter(), this);
    m_inspect = new InspectSession(*this, *m_edit, *inspect, *m_messages, m_jobs.exporter(),
                                   {m_camera, m_scheduler, m_interop}, this);
    connect(m_inspect, &InspectSession::marksChanged, this, &MainWindow::showMarks);
    m_change = new ChangeSession(*this, *m_messages, m_jobs.exporter(), this);
    const auto dock = [this](const char* name, const QString& title, QWidget* content,
                             Qt::DockWidgetArea area) {
        auto* widget = new QDockWidget(title, this);
        widget->setObjectName(name); // the saved layout identifies docks by name
        widget->setWidget(content);
        addDockWidget(area, widget);
        return widget;
    };
    auto* scans = new QWidget;
    auto* dataColumn = new QVBoxLayout(scans);
    dataColumn->setContentsMargins(0, 0, 0, 0);
    dataColumn->setSpacing(0);
    dataColumn->addWidget(new ScanListPanel(m_playlist));
    dataColumn->addWidget(m_data, 1);
    m_dataDock = dock("data", tr("Data"), scans, Qt::LeftDockWidgetArea);
    dock("parameters", tr("Parameters"), m_parameters, Qt::RightDockWidgetArea);
    auto* timings = dock("timings", tr("Timings"), m_timings, Qt::BottomDockWidgetArea);
    auto* log = dock("log", tr("Log"), m_log, Qt::BottomDockWidgetArea);
    auto* align = dock("align", tr("Align"), m_align, Qt::BottomDockWidgetArea);
    tabifyDockWidget(timings, align);
    tabifyDockWidget(align, dock("measures", tr("Measures"), m_measures, Qt::BottomDockWidgetArea));
    tabifyDockWidget(align, dock("inspect", tr("Inspect"), inspect, Qt::BottomDockWidgetArea));
    tabifyDockWidget(align, dock("edits", tr("Edits"), m_editing, Qt::BottomDockWidgetArea));
    tabifyDockWidget(align, log);
    timings->raise();
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_dataDock->installEventFilter(this);
    setMinimumSize(kSmallest);
    constexpr int kTimings = 292; // pixels, which fit all stages and their total
    resizeDocks({timings}, {std::min(kTimings, height() * 2 / 5)}, Qt::Vertical);
}

void MainWindow::fitDocks() {
    const bool narrow = width() < kNarrow;
    setCorner(Qt::BottomLeftCorner, narrow ? Qt::BottomDockWidgetArea : Qt::LeftDockWidgetArea);
    if (std::exchange(m_isNarrow, narrow) && !narrow)
        // restores the width that the narrow window took
        resizeDocks({m_dataDock}, {m_dataWidth}, Qt::Horizontal);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    fitDocks();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_dataDock && event->type() == QEvent::Resize && !m_isNarrow && width() >= kNarrow)
        m_dataWidth = m_dataDock->width();
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::open(const QStringList& paths, std::optional<SeveralAs> as) {
    bool isProject = false;
    if (paths.size() == 1) {
        const auto isOne = [path = rawPath(paths.front())] { return isProjectFile(path); };
        const auto answer = readApart<bool>(this, readingWords(paths.front()), isOne);
        if (!answer)
            return;
        isProject = *answer;
    }
    if (isProject)
        openProject(paths.front());
    else if (mayClose())
        m_opener.open(paths, as);
}

void MainWindow::openSample(const synth::ScanParams& params) {
    if (mayClose())
        m_opener.openSample(params);
}

QString MainWindow::scanFolder() const {
    return QFileInfo(m_recent.paths().value(0)).path();
}

bool MainWindow::isWhole() {
    QString note = m_snapshot ? noteOfPart(*m_snapshot, m_jobs.loader().isBusy(), isBusy()) : QString();
    if (note.isEmpty() && !m_jobs.loader().hasRead(rangeToRead(recipe())))
        note = tr("Points of this range are still being read. Try again when they are there.");
    if (!note.isEmpty())
        m_messages->showNote(note);
    return m_snapshot && note.isEmpty();
}

std::vector<std::filesystem::path> MainWindow::openFiles(const QString& replaced) const {
    std::vector<std::filesystem::path> files = openPaths(replaced);
    std::error_code unknown;
    if (m_snapshot) // the scans of a survey
        for (const auto& entry : std::filesystem::directory_iterator(files.front(), unknown))
            files.push_back(entry.path());
    return files;
}

std::vector<std::filesystem::path> MainWindow::openPaths(const QString& replaced) const {
    std::vector<std::filesystem::path> files;
    if (m_snapshot)
        files.emplace_back(m_snapshot->cloud ? m_snapshot->cloud->path : m_snapshot->volume->path);
    for (int i = 0; i < m_playlist.size(); ++i)
        files.push_back(m_playlist.path(i));
    for (const std::string& file : filesOf(recipe().edits.layers))
        files.emplace_back(file);
    if (const std::optional<Project> all = project()) // other scans, and steps that undo may bring back
        for (const std::filesystem::path& file : filesOf(*all))
            files.push_back(file);
    for (const QString& file : {m_store.path(), m_recipeFile})
        if (file != replaced)
            files.push_back(rawPath(file));
    return files;
}

QString MainWindow::promptSavePath(QWidget* parent, const QString& title, const QString& suggested,
                                   const QString& filter) {
    QString path = gui::promptSavePath(parent, title, suggested, filter);
    const Failure refusal = path.isEmpty() ? Failure{} : checkOutput(path, outputCheckFor(openFiles()));
    if (refusal.sentence.isEmpty())
        return path;
    m_messages->showError(refusal.sentence, refusal.nextStep);
    return {};
}

void MainWindow::exportDialog(bool points) {
    if (!isWhole())
        return;
    ExportDialog dialog(m_snapshot, m_camera.camera(), openFiles(), this);
    dialog.setSheet(m_views->sheet());
    if (points)
        dialog.choose(ExportDialog::What::points);
    if (dialog.exec() == QDialog::Accepted &&
        (dialog.what() == ExportDialog::What::picture || m_align->mayExport()))
        m_jobs.exporter().start(dialog.job());
}

bool MainWindow::mayExport() {
    return isWhole() && m_align->mayExport();
}

void MainWindow::showAlignment() {
    auto* dock = findChild<QDockWidget*>(QStringLiteral("align"));
    dock->show();
    dock->raise();
}

void MainWindow::showDifference() {
    if (!m_difference) {
        m_difference = new DifferenceDialog(m_views->meshView(), m_camera, this);
        m_difference->setSnapshot(m_snapshot);
    }
    m_difference->show();
    m_difference->raise();
    m_difference->activateWindow();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << rawTextOf(url);
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    // after the drop has ended: while a question is open, the program that it comes from could do nothing
    QMetaObject::invokeMethod(
        this,
        [this, paths] {
            const QString& path = paths.first();
            const std::pair scan(m_replaced, placeOfWork());
            const auto isOne = [path] { return isRecipe(path) && !isProjectFile(rawPath(path)); };
            const auto isRecipeAlone = paths.size() == 1 && lowerEnding(rawPath(path)) == ".json"
                                           ? readApart<bool>(this, readingWords(path), isOne)
                                           : std::optional(false);
            if (!isRecipeAlone)
                return;
            if (*isRecipeAlone && scan != std::pair(m_replaced, placeOfWork()))
                return showRecipeOfAnotherScan();
            if (*isRecipeAlone)
                openRecipe(paths.first());
            else if (paths.size() == 1 && lowerEnding(rawPath(paths.first())) == ".cu")
                m_edit->addCudaFile(paths.first());
            else
                open(paths);
        },
        Qt::QueuedConnection);
}

void MainWindow::restoreLayout() {
    QSettings settings;
    m_theme.choose(ThemeChoice(settings.value("theme").toInt()));
    restoreGeometry(settings.value("geometry").toByteArray());
    restoreState(settings.value("layout").toByteArray());
    m_views->restore(QJsonDocument::fromJson(settings.value(kViewsKey).toByteArray()).object());
    fitDocks();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const std::size_t exports = m_jobs.exporter().count();
    const QString question = exports < 2
                                 ? tr("A file is being written. Stop that and close?")
                                 : tr("%1 files are being written. Stop that and close?").arg(exports);
    if (exports > 0 && QMessageBox::question(this, tr("Close"), question, QMessageBox::Yes | QMessageBox::No,
                                             QMessageBox::No) != QMessageBox::Yes) {
        event->ignore();
        return;
    }
    if (!mayClose() || !mayLeaveUnstored()) {
        m_givenUp.reset();
        event->ignore();
        return;
    }
    // a presentation covers the screen until the window manager has answered: what was before it is kept
    QSettings settings;
    settings.setValue("geometry", m_beforePresentation ? m_beforePresentation->geometry : saveGeometry());
    settings.setValue("layout", m_beforePresentation ? m_beforePresentation->docks : saveState());
    setPresenting(false);
    settings.setValue(kViewsKey, QJsonDocument(m_views->state()).toJson(QJsonDocument::Compact));
    m_jobs.cancel();
    m_jobs.exporter().cancelAll();
    m_autosaveTimer.stop();
    m_store.endAutosave();
    event->accept();
}

} // namespace scanloupe::gui
