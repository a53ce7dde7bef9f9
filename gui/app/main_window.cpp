// Assembles the main window: docks, connections, drag and drop, and settings kept between sessions.
#include "gui/app/main_window.h"

#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/io/common/file_ending.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/app/help_controller.h"
#include "gui/app/window_layout.h"
#include "gui/base/raw_text.h"
#include "gui/base/settings.h"
#include "gui/controllers/camera_controller.h"
#include "gui/controllers/comparison_controller.h"
#include "gui/controllers/cut_controller.h"
#include "gui/controllers/device_controller.h"
#include "gui/controllers/inspect_controller.h"
#include "gui/controllers/job_reports.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/project_controller.h"
#include "gui/controllers/run_controller.h"
#include "gui/controllers/sequence_controller.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/theme.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/compare_bar.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/device_box.h"
#include "gui/panels/edit_panel.h"
#include "gui/panels/inspect_panel.h"
#include "gui/panels/job_status.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/measures_panel.h"
#include "gui/panels/messages_panel.h"
#include "gui/panels/parameters/forecast_line.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/player_bar.h"
#include "gui/panels/scan_list_panel.h"
#include "gui/panels/timings_panel.h"
#include "gui/panels/welcome_pane.h"
#include "gui/sliders/number_box.h"
#include "gui/views/view_area.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>

namespace scanloupe::gui {

namespace {

/// Smallest size: a screen of 800 x 600 without its bars.
constexpr QSize kSmallest{760, 540};

/// Describes how the contents of the views reached the screen. Updates are delayed: a label that changed with
/// every frame would be illegible and part of each frame.
QLabel* transferLabel(const ViewArea& views) {
    auto* label = new QLabel;
    label->setObjectName(QStringLiteral("transfer"));
    auto* delay = new QTimer(label);
    delay->setSingleShot(true);
    delay->setInterval(150);
    QObject::connect(delay, &QTimer::timeout, label, [label, &views] {
        label->setText(transferText(views.transfers()));
        label->setToolTip(transferDetails(views.transfers()));
    });
    QObject::connect(&views, &ViewArea::transferred, delay, [delay] {
        if (!delay->isActive())
            delay->start();
    });
    return label;
}

} // namespace

MainWindow::MainWindow(const BackendRequest& wanted, Theme& theme, QWidget* parent)
    : QMainWindow(parent), m_theme(theme), m_jobs(loadsSycl(wanted) ? BackendRequest(Backend::cpu) : wanted),
      m_playlist(m_jobs.loader(), m_jobs.runner()), m_work(m_playlist),
      m_opener(m_jobs.loader(), m_playlist, this), m_pages(new QStackedWidget), m_welcome(new WelcomePane),
      m_views(new ViewArea({m_camera, m_scheduler, m_interop})), m_messages(new MessageBar(m_pages)) {
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
    auto* bars = new QWidget; // hidden by a presentation; the bars show and hide themselves
    auto* barColumn = new QVBoxLayout(bars);
    auto* compareBar = new CompareBar;
    barColumn->setContentsMargins(0, 0, 0, 0);
    barColumn->addWidget(compareBar);
    barColumn->addWidget(new PlayerBar(m_playlist));
    column->addWidget(bars);
    setCentralWidget(centre);
    auto* status = new JobStatus;
    statusBar()->addPermanentWidget(status, 1);
    statusBar()->addPermanentWidget(transferLabel(*m_views));
    auto* device = new DeviceBox(m_jobs.runner().backend());
    statusBar()->addPermanentWidget(device);
    m_welcome->setRecentFiles(m_recent.paths());

    connect(&m_work, &Work::scanOpened, this, [this] {
        // the hidden label takes no space
        m_welcome->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
        m_pages->setCurrentWidget(m_views);
    });
    m_layout = new WindowLayout(*this, *m_views, *bars);
    m_help = new HelpController(*this, *m_views, m_work);
    connect(m_layout, &WindowLayout::presentationBegins, this, [this] {
        m_help->endTour();
        if (!m_messages->isError())
            m_messages->dismiss();
    });
    buildDocks(*compareBar, *device);
    buildActions();
    connectPanels();
    reportJobs(context(), *m_edit, *status);
    m_edit->connectAll();
    connect(&m_work, &Work::resultsChanged, m_project, &ProjectController::takeResults);
    m_theme.choose(settings::theme.value());
    m_layout->restore();
    if (loadsSycl(wanted))
        m_device->seek(wanted);
    else
        m_log->append(QString::fromStdString(m_jobs.runner().backend().reason));
    // runs after the window has been painted: computing the first picture would delay painting
    QTimer::singleShot(0, this, [this] {
        m_device->findInterop();
        m_views->prepare();
    });
}

MainWindow::~MainWindow() {
    hide();                     // hiding may move the focus out of a field, which may change the recipe
    delete takeCentralWidget(); // destroy the views before the objects that they share
}

void MainWindow::buildDocks(CompareBar& compareBar, DeviceBox& device) {
    m_parameters = new ParameterPanel;
    m_data = new DataPanel;
    const SavePathPrompt promptPath = [this](auto&&... question) {
        return m_project->promptSavePath(question...);
    };
    m_timings = new TimingsPanel(promptPath);
    m_align = new AlignPanel(m_playlist, promptPath);
    m_log = new LogPanel(promptPath);
    auto* measures = new MeasuresPanel(promptPath);
    auto* inspect = new InspectPanel;
    m_editing = new EditPanel;
    buildControllers(*inspect, *measures, compareBar, device);
    auto* scans = new QWidget;
    auto* dataColumn = new QVBoxLayout(scans);
    dataColumn->setContentsMargins(0, 0, 0, 0);
    dataColumn->setSpacing(0);
    dataColumn->addWidget(new ScanListPanel(m_playlist));
    dataColumn->addWidget(m_data, 1);
    m_layout->addDocks({
        {"data", tr("Data"), scans, Qt::LeftDockWidgetArea},
        {"parameters", tr("Parameters"), m_parameters, Qt::RightDockWidgetArea},
        {"timings", tr("Timings"), m_timings},
        {"align", tr("Align"), m_align},
        {"measures", tr("Measurements"), measures},
        {"inspect", tr("Inspect"), inspect},
        {"edits", tr("Edits"), m_editing},
        {"log", tr("Log"), m_log},
        {"messages", tr("Messages"), new MessagesPanel, Qt::BottomDockWidgetArea, false},
    });
    m_layout->setDataDock(m_layout->dock("data"));
    connect(m_layout->dock("align"), &QDockWidget::visibilityChanged, m_align, &AlignPanel::setInFront);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setMinimumSize(kSmallest);
    constexpr int kTimings = 292; // pixels, which fit all stages and their total
    resizeDocks({m_layout->dock("timings")}, {std::min(kTimings, height() * 2 / 5)}, Qt::Vertical);
}

WindowContext MainWindow::context() {
    return {*this,
            m_work,
            m_jobs,
            m_playlist,
            *m_views,
            {m_camera, m_scheduler, m_interop},
            *m_messages,
            *m_log,
            [this](auto&&... question) { return m_project->promptSavePath(question...); },
            [this] { return m_project->openFiles(); }};
}

void MainWindow::buildControllers(InspectPanel& inspect, MeasuresPanel& measures, CompareBar& compareBar,
                                  DeviceBox& device) {
    const WindowContext context = this->context();
    m_cameraController = new CameraController(context);
    m_run = new RunController(context, *m_cameraController, *m_parameters->forecastLine(), *m_align);
    m_edit = new EditController(context, *m_run, *m_editing);
    m_jobs.runner().setTrustedCode(m_edit->trustedCode());
    m_inspect = new InspectController(context, *m_run, *m_edit, inspect);
    m_sequence = new SequenceController(context);
    m_comparison = new ComparisonController(context, *m_run, compareBar);
    m_device = new DeviceController(context, *m_run, *m_comparison, device);
    connect(m_sequence, &SequenceController::alignmentWanted, this, [this] { m_layout->showDock("align"); });
    m_measuring = new MeasureController(context, *m_edit, *m_inspect, measures, *m_data);
    m_cut = new CutController(context, *m_run, *m_measuring);
    for (const Controller* drawing :
         std::initializer_list<Controller*>{m_sequence, m_edit, m_cut, m_measuring, m_inspect})
        connect(drawing, &Controller::marksChanged, this, &MainWindow::showMarks);
    connect(m_measuring, &MeasureController::kindChanged, this, [this] {
        m_layout->setMeasuring(m_measuring->tool().kind().has_value());
        if (m_measuring->tool().kind())
            m_layout->showDockOfTool("measures");
    });
    m_project =
        new ProjectController(context, {*m_run, *m_cameraController, *m_edit, *m_measuring, m_opener,
                                        m_recent, *m_welcome, [this] { return m_layout->shownPanels(); }});
    connect(m_project, &ProjectController::panelsWanted, m_layout, &WindowLayout::showPanels);
    connect(m_edit, &EditController::toolChosen, this, [this](bool isActive) {
        if (isActive)
            m_layout->showDockOfTool("edits");
    });
    connect(m_inspect, &InspectController::wanted, this, [this] { m_layout->showDockOfTool("inspect"); });
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    m_layout->fit();
}

void MainWindow::showMarks() {
    SceneMarks marks;
    for (const std::vector<SceneMark>& some : {m_sequence->marks(), m_cut->tool().marks(),
                                               m_edit->tool().marks(), m_inspect->marks(), m_align->marks()})
        marks.marks.insert(marks.marks.end(), some.begin(), some.end());
    marks.wantsHover = m_cut->tool().wantsHover() || m_edit->tool().isActive();
    m_measuring->addMarks(marks);
    m_views->setMarks(marks);
}

void MainWindow::open(const QStringList& paths, std::optional<SeveralAs> as) {
    m_project->open(paths, as);
}

void MainWindow::openSample(const synth::ScanParams& params) {
    m_project->openSample(params);
}

bool MainWindow::isBusy() const {
    return m_run->isBusy();
}

void MainWindow::exportDialog(bool points) {
    if (!m_run->isWhole())
        return;
    ExportDialog dialog(m_work.results(), m_camera.camera(), m_project->openFiles(), this);
    dialog.setSheet(m_views->sheet());
    if (points)
        dialog.choose(ExportDialog::What::points);
    if (dialog.exec() == QDialog::Accepted &&
        (dialog.what() == ExportDialog::What::picture || m_align->mayExport()))
        m_jobs.exporter().start(dialog.job());
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
    // runs after the drop has ended: an open dialog would block the program that the drop came from
    QMetaObject::invokeMethod(
        this, [this, paths] { m_project->drop(paths); }, Qt::QueuedConnection);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    const std::size_t exports = m_jobs.exporter().count();
    const QString question =
        exports < 2 ? tr("A file is still being written. Cancel writing and close?")
                    : tr("%1 files are still being written. Cancel writing and close?").arg(exports);
    if (exports > 0 && QMessageBox::question(this, tr("Close"), question, QMessageBox::Yes | QMessageBox::No,
                                             QMessageBox::No) != QMessageBox::Yes) {
        event->ignore();
        return;
    }
    if (!m_project->mayClose() || !m_project->mayLeaveUnstored()) {
        m_project->stayOpen();
        event->ignore();
        return;
    }
    m_layout->save();
    m_jobs.cancel();
    m_jobs.exporter().cancelAll();
    m_project->endAutosave();
    event->accept();
}

void MainWindow::connectPanels() {
    connect(m_welcome, &WelcomePane::openRequested, m_project, &ProjectController::chooseFiles);
    connect(m_welcome, &WelcomePane::sampleRequested, this, [this] { openSample(); });
    connect(m_welcome, &WelcomePane::recentChosen, this, [this](const QString& path) { open({path}); });
    connect(&m_recent, &RecentFiles::changed, m_welcome, &WelcomePane::setRecentFiles);

    connect(m_parameters, &ParameterPanel::recipeChanged, &m_work,
            [this](const Recipe& changed) { m_work.changeRecipe(m_edit->atRest(changed)); });
    connect(&m_work, &Work::recipeChanged, m_parameters, [this](const Recipe& recipe) {
        if (recipe != m_parameters->recipe()) // otherwise the panel itself made the change
            m_parameters->setRecipe(recipe);
    });
    connect(&m_work, &Work::resultsChanged, m_parameters, &ParameterPanel::setSnapshot);
    connect(&m_work, &Work::unitChanged, m_parameters, &ParameterPanel::setUnit);
    connect(&m_work, &Work::unitChanged, m_align, &AlignPanel::setUnit);
    connect(&m_work, &Work::referenceChanged, this, &MainWindow::showReference);
    connect(&m_work, &Work::resultsChanged, m_timings, &TimingsPanel::setSnapshot);
    connect(&m_work, &Work::resultsRefined, m_timings, &TimingsPanel::amendRun);
    connect(&m_work, &Work::resultsRefined, m_data, &DataPanel::setSnapshot);
    connect(&m_work, &Work::resultsChanged, m_data, &DataPanel::setSnapshot);
    connect(m_parameters, &ParameterPanel::styleChanged, m_views, &ViewArea::setStyle);
    connect(m_timings, &TimingsPanel::failed, m_messages, &MessageBar::showError);
    connect(m_log, &LogPanel::failed, m_messages, &MessageBar::showError);
    for (NumberBox* box : findChildren<NumberBox*>()) {
        connect(box, &NumberBox::refused, m_messages, &MessageBar::showInputError);
        connect(box, &NumberBox::valueChanged, m_messages, &MessageBar::inputAccepted);
    }
    // Enter ends the typing and releases the focus: otherwise the views' keys would edit the value
    for (const NumberBox* box : m_parameters->findChildren<NumberBox*>())
        if (const auto* line = box->findChild<QLineEdit*>())
            connect(line, &QLineEdit::returnPressed, this, [this] {
                if (!m_messages->isError()) // after an error, the user corrects the rejected value
                    m_layout->focusView();
            });
    context().report(*m_align, &AlignPanel::failed);
    connect(m_align, &AlignPanel::logged, m_log, &LogPanel::append);
    connect(m_align, &AlignPanel::marksChanged, this, &MainWindow::showMarks);
    connect(m_align, &AlignPanel::saved, m_messages, &MessageBar::showWritten);
    connect(m_align, &AlignPanel::posesKept, m_project, &ProjectController::takePoses);
    connect(m_timings, &TimingsPanel::saved, m_messages, &MessageBar::showWritten);
    connect(m_log, &LogPanel::saved, m_messages, &MessageBar::showWritten);
    const auto* messages = findChild<MessagesPanel*>();
    connect(m_messages, &MessageBar::shown, messages, &MessagesPanel::addMessage);
    connect(&m_jobs.loader(), &ScanLoader::logged, messages, &MessagesPanel::addLoad);
    connect(&m_work, &Work::scanOpened, messages, &MessagesPanel::beginScan);
    connect(&m_work, &Work::resultsChanged, messages, &MessagesPanel::addRun);
    connect(m_data, &DataPanel::referenceEdited, &m_work, &Work::changeReference);
    connect(m_data, &DataPanel::failed, m_messages, &MessageBar::showError);

    PipelineRunner* runner = &m_jobs.runner();
    connect(runner, &PipelineRunner::snapshotReady, &m_work, &Work::setResults);
    connect(runner, &PipelineRunner::measured, &m_work, &Work::refineResults);
    connect(runner, &PipelineRunner::refined, &m_work, &Work::refineResults);
    connect(runner, &PipelineRunner::advanced, m_data, &DataPanel::clearPick);
    connect(runner, &PipelineRunner::measureFailed, m_data, &DataPanel::showMeasureProblem);
    connect(&m_jobs.histograms(), &HistogramRunner::ready, m_parameters, &ParameterPanel::setHistograms);
    connect(&m_work, &Work::scanOpened, m_data, &DataPanel::clearPick);
    connect(&m_work, &Work::scanOpened, m_parameters, [this] { m_parameters->setHistograms({}); });
}

void MainWindow::showReference(const CoordinateReference& before) {
    const CoordinateReference& now = m_work.reference();
    m_data->setReference(now, m_work.history().state().reference);
    if (now.notes == before.notes)
        return;
    for (const std::string& note : now.notes)
        m_log->append(QString::fromStdString(note) + QLatin1Char(' ') +
                      tr("The unit is set in the Data panel, under Scan."));
    if (now.unit == LengthUnit::degree)
        m_messages->showNote(QString::fromStdString(now.notes.front()));
}

} // namespace scanloupe::gui
