// Shows the messages of jobs.
#include "gui/controllers/job_reports.h"

#include "gui/controllers/edit_controller.h"
#include "gui/jobs/playlist.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/panels/job_status.h"
#include "gui/views/view_area.h"

namespace scanloupe::gui {

void reportJobs(const WindowContext& window, EditController& edit, JobStatus& status) {
    PipelineRunner* runner = &window.jobs.runner();
    ScanLoader* loader = &window.jobs.loader();
    ExportRunner* exporter = &window.jobs.exporter();
    const auto note = [window](const QString& sentence) {
        window.messages.showNote(sentence);
        window.log.append(sentence);
    };
    QObject::connect(runner, &PipelineRunner::removalsHidden, &window.widget, [note] {
        note(ScanJobs::tr("Layers that remove points are hidden, since together they would remove all "
                          "points. Delete one, or show them one by one, in the Edits panel."));
    });
    QObject::connect(exporter, &ExportRunner::exported, &window.widget,
                     [note](const QString& what) { note(ScanJobs::tr("Written: %1.").arg(what)); });
    QObject::connect(exporter, &ExportRunner::queued, &window.messages,
                     [window](const QString& what, const QString& running) {
                         window.messages.showNote(
                             ScanJobs::tr("Queued: %1. Now writing: %2.").arg(what, running));
                     });
    QObject::connect(exporter, &ExportRunner::cancelled, &window.widget,
                     [note](const QString& what) { note(ScanJobs::tr("Cancelled: %1.").arg(what)); });

    window.report(*loader, &ScanLoader::failed);
    window.report(*runner, &PipelineRunner::firstRunFailed);
    window.report(*exporter, &ExportRunner::failed);
    QObject::connect(runner, &PipelineRunner::runFailed, &window.widget,
                     [window, &edit](const QString& sentence, const QString& nextStep) {
                         if (!edit.endFailedTrial(sentence, nextStep))
                             window.messages.showRunError(sentence, nextStep);
                     });
    for (const auto failed : {&PipelineRunner::runFailed, &PipelineRunner::measureFailed})
        QObject::connect(runner, failed, &window.log, &LogPanel::appendError);
    QObject::connect(loader, &ScanLoader::logged, &window.log, &LogPanel::append);

    QObject::connect(loader, &ScanLoader::progressed, &status, &JobStatus::setProgress);
    QObject::connect(runner, &PipelineRunner::progressed, &status, &JobStatus::setProgress);
    QObject::connect(exporter, &ExportRunner::progressed, &status, &JobStatus::setProgress);
    QObject::connect(&window.jobs, &ScanJobs::busyChanged, &status, &JobStatus::setBusy);
    QObject::connect(&status, &JobStatus::cancelRequested, &window.widget, [&edit] { edit.dropTrial(); });
    QObject::connect(&status, &JobStatus::cancelRequested, &window.jobs, &ScanJobs::cancel);

    QObject::connect(&window.playlist, &Playlist::problemsFound, &window.messages, &MessageBar::showError);
    QObject::connect(&window.playlist, &Playlist::problemsFound, &window.widget,
                     [window](const QString& sentence, const QString&) { window.log.append(sentence); });
    QObject::connect(&window.playlist, &Playlist::logged, &window.log, &LogPanel::append);
    QObject::connect(&edit, &EditController::logged, &window.log, &LogPanel::append);
    QObject::connect(&window.views, &ViewArea::pickFailed, &window.messages, &MessageBar::showError);
}

} // namespace scanloupe::gui
