// Connects the signals of the window's parts.
#include "gui/app/main_window.h"
#include "gui/app/view_area.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/number_box.h"
#include "gui/jobs/compare_session.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/job_status.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/timings_panel.h"
#include "gui/panels/welcome_pane.h"

#include <QLineEdit>
#include <QTimer>
#include <algorithm>

namespace scanloupe::gui {

void MainWindow::connectPanels() {
    connect(m_welcome, &WelcomePane::openRequested, this, [this] {
        if (mayClose())
            m_opener.chooseFiles(scanFolder());
    });
    connect(m_welcome, &WelcomePane::sampleRequested, this, [this] { openSample(); });
    connect(m_welcome, &WelcomePane::recentChosen, this, [this](const QString& path) { open({path}); });
    connect(m_welcome, &WelcomePane::restoreRequested, this, &MainWindow::restoreLeftBehind);
    connect(m_welcome, &WelcomePane::discardRequested, this, &MainWindow::discardLeftBehind);
    connect(&m_recent, &RecentFiles::changed, m_welcome, &WelcomePane::setRecentFiles);
    connect(&m_recent, &RecentFiles::changed, this, &MainWindow::buildRecentMenu);

    connect(m_parameters, &ParameterPanel::recipeChanged, this, [this](const Recipe& changed) {
        const Recipe recipe = m_edit->atRest(changed);
        if (recipe != changed)
            m_parameters->setRecipe(recipe);
        changeRecipe(recipe);
    });
    connect(m_parameters, &ParameterPanel::styleChanged, m_views, &ViewArea::setStyle);
    connect(m_timings, &TimingsPanel::failed, m_messages, &MessageBar::showError);
    connect(m_log, &LogPanel::failed, m_messages, &MessageBar::showError);
    for (NumberBox* box : findChildren<NumberBox*>()) {
        connect(box, &NumberBox::refused, m_messages, &MessageBar::showInputError);
        connect(box, &NumberBox::valueChanged, m_messages, &MessageBar::inputAccepted);
    }
    // Enter ends the typing: the keys of the views would change the value further
    for (const NumberBox* box : m_parameters->findChildren<NumberBox*>())
        if (const auto* line = box->findChild<QLineEdit*>())
            connect(line, &QLineEdit::returnPressed, this, [this] {
                if (!m_messages->isError()) // what was refused is typed again
                    focusView();
            });
    const auto noteSaved = [this](const QString& path) {
        m_messages->showNote(tr("Written: %1.").arg(path));
    };
    connect(m_align, &AlignPanel::failed, m_messages, &MessageBar::showError);
    connect(m_align, &AlignPanel::failed, m_log, [this](const QString& sentence, const QString& nextStep) {
        m_log->append(sentence + " " + nextStep);
    });
    connect(m_align, &AlignPanel::logged, m_log, &LogPanel::append);
    connect(m_edit, &EditSession::logged, m_log, &LogPanel::append);
    connect(m_align, &AlignPanel::saved, this, noteSaved);
    connect(m_align, &AlignPanel::posesKept, this, [this] {
        if (!m_store.path().isEmpty() || !m_snapshot)
            return;
        const Project now = work();
        m_saved.scans.resize(now.scans.size());
        for (std::size_t i = 0; i < now.scans.size(); ++i)
            m_saved.scans[i].pose = now.scans[i].pose;
        setWindowModified(isModified());
    });
    connect(&m_store, &ProjectStore::autosaveFailed, m_messages, &MessageBar::showError);
    connect(&m_store, &ProjectStore::autosaveFailed, m_log,
            [this](const QString& sentence, const QString& nextStep) {
                m_log->append(sentence + " " + nextStep);
            });
    connect(&m_store, &ProjectStore::leavingFailed, this, [this](const QString& sentence) {
        m_log->append(sentence);
        if (m_snapshot)
            offerLeftBehind();
    });
    connect(m_timings, &TimingsPanel::saved, this, noteSaved);
    connect(m_log, &LogPanel::saved, this, noteSaved);
    connect(m_views, &ViewArea::pickFailed, m_messages, &MessageBar::showError);
    connect(m_data, &DataPanel::referenceEdited, this, &MainWindow::changeReference);
    connect(m_data, &DataPanel::failed, m_messages, &MessageBar::showError);
    connect(m_views, &ViewArea::pictureWanted, this, [this](const Camera& camera, QSize size) {
        m_pictureSize = size;
        m_compare->setView(camera, size);
        if (m_snapshot && !m_showAllNext)
            requestResults(m_parameters->recipe());
    });
}

void MainWindow::connectJobs() {
    PipelineRunner* runner = &m_jobs.runner();
    ScanLoader* loader = &m_jobs.loader();
    ExportRunner* exporter = &m_jobs.exporter();
    connect(loader, &ScanLoader::busyChanged, this, [this](bool busy) {
        if (busy && !m_snapshot) // so that the first picture has about the shape of its view
            requestResults(m_parameters->recipe());
    });
    connect(runner, &PipelineRunner::opened, this, &MainWindow::onScanOpened);
    connect(runner, &PipelineRunner::removalsHidden, m_messages, [this] {
        const QString sentence =
            tr("Layers that remove points are hidden, since they would leave none. Delete "
               "one, or show them one by one, in the Edits panel.");
        m_messages->showNote(sentence);
        m_log->append(sentence);
    });
    connect(runner, &PipelineRunner::advanced, this, [this](const QString& name) {
        m_shownName = name;
        showTitle();
        m_data->clearPick();
    });
    connect(runner, &PipelineRunner::snapshotReady, this, &MainWindow::onSnapshot);
    // of a scan that is too large, what the views need is read once they rest
    auto* viewRests = new QTimer(this);
    viewRests->setSingleShot(true);
    viewRests->setInterval(250);
    connect(&m_camera, &LinkedCamera::changed, viewRests, qOverload<>(&QTimer::start));
    connect(runner, &PipelineRunner::snapshotReady, viewRests, qOverload<>(&QTimer::start));
    connect(runner, &PipelineRunner::runFailed, viewRests, qOverload<>(&QTimer::start)); // none in the range
    connect(viewRests, &QTimer::timeout, this, [this, loader] {
        int height = 1;
        for (ScanView* view : m_views->views())
            if (view->widget()->isVisible())
                height = std::max(height, int(view->widget()->height() * devicePixelRatioF()));
        loader->setView(
            {m_camera.camera(), m_views->aspect(), height, 0, rangeToRead(m_jobs.runner().recipe()), 0});
    });
    connect(&m_jobs.histograms(), &HistogramRunner::ready, m_parameters, &ParameterPanel::setHistograms);
    connect(runner, &PipelineRunner::measured, this, &MainWindow::onSnapshotRefined);
    connect(runner, &PipelineRunner::refined, this, &MainWindow::onSnapshotRefined);
    connect(exporter, &ExportRunner::exported, this, [this](const QString& what) {
        m_messages->showNote(tr("Written: %1.").arg(what));
        m_log->append(tr("Written: %1.").arg(what));
    });
    exporter->setOpenFiles([this] { return openFiles(); });
    connect(exporter, &ExportRunner::queued, this, [this](const QString& what, const QString& running) {
        m_messages->showNote(tr("Queued: %1. Written now: %2.").arg(what, running));
    });
    connect(exporter, &ExportRunner::cancelled, this, [this](const QString& what) {
        m_messages->showNote(tr("Cancelled: %1.").arg(what));
        m_log->append(tr("Cancelled: %1.").arg(what));
    });

    connect(loader, &ScanLoader::openingEnded, this, [this](int, OpeningEnd end) { onOpeningEnded(end); });
    connect(loader, &ScanLoader::failed, m_messages, &MessageBar::showError);
    connect(runner, &PipelineRunner::firstRunFailed, m_messages, &MessageBar::showError);
    connect(runner, &PipelineRunner::runFailed, this,
            [this](const QString& sentence, const QString& nextStep) {
                if (!m_edit->endFailedTrial(sentence, nextStep))
                    m_messages->showRunError(sentence, nextStep);
            });
    connect(runner, &PipelineRunner::measureFailed, m_data, &DataPanel::showMeasureProblem);
    connect(exporter, &ExportRunner::failed, m_messages, &MessageBar::showError);
    const auto log = [this](const QString& sentence, const QString& nextStep) {
        m_log->append(sentence + " " + nextStep);
    };
    connect(loader, &ScanLoader::failed, m_log, log);
    for (auto failure :
         {&PipelineRunner::firstRunFailed, &PipelineRunner::runFailed, &PipelineRunner::measureFailed})
        connect(runner, failure, m_log, log);
    connect(exporter, &ExportRunner::failed, m_log, log);
    connect(loader, &ScanLoader::logged, m_log, &LogPanel::append);

    connect(loader, &ScanLoader::progressed, m_status, &JobStatus::setProgress);
    connect(runner, &PipelineRunner::progressed, m_status, &JobStatus::setProgress);
    connect(exporter, &ExportRunner::progressed, m_status, &JobStatus::setProgress);
    connect(&m_jobs, &ScanJobs::busyChanged, m_status, &JobStatus::setBusy);
    connect(m_status, &JobStatus::cancelRequested, this, [this] { m_edit->dropTrial(); });
    connect(m_status, &JobStatus::cancelRequested, &m_jobs, &ScanJobs::cancel);
}

void MainWindow::connectPlaylist() {
    connect(&m_playlist, &Playlist::togetherChanged, this, &MainWindow::recordTogether);
    connect(&m_playlist, &Playlist::problemsFound, m_messages, &MessageBar::showError);
    connect(&m_playlist, &Playlist::problemsFound, m_log,
            [this](const QString& sentence, const QString&) { m_log->append(sentence); });
    connect(&m_playlist, &Playlist::logged, m_log, &LogPanel::append);
    connect(&m_opener, &ScanOpener::began, this, [this] { m_pending.reset(); });
    connect(&m_opener, &ScanOpener::failed, m_messages, &MessageBar::showError);
    connect(&m_opener, &ScanOpener::failed, m_log, [this](const QString& sentence, const QString& nextStep) {
        m_log->append(sentence + " " + nextStep);
    });
    connect(&m_opener, &ScanOpener::logged, m_log, &LogPanel::append);
}

} // namespace scanloupe::gui
