// Writes exports one at a time on a worker thread.
#include "gui/jobs/export_runner.h"

#include "engine/io/common/named_file.h"
#include "engine/io/output_check.h"
#include "gui/base/raw_text.h"

#include <algorithm>
#include <memory>

namespace scanloupe::gui {

namespace {

bool isSameFile(const std::filesystem::path& a, const std::filesystem::path& b) {
    return resolvedPath(a) == resolvedPath(b);
}

} // namespace

ExportRunner::ExportRunner(QObject* parent) : QObject(parent), m_pool(*this, 1) {}

ExportRunner::~ExportRunner() {
    m_stop.request_stop();
}

void ExportRunner::start(ExportJob job) {
    if (std::ranges::any_of(m_jobs, [&](const auto& one) { return isSameFile(one->target, job.target); })) {
        emit failed(tr("'%1' is already being written.").arg(shownText(job.target.string())),
                    tr("Choose another name, or wait until it is done."));
        return;
    }
    m_jobs.push_back(std::make_shared<const ExportJob>(std::move(job)));
    if (m_jobs.size() > 1) {
        emit queued(m_jobs.back()->what, m_jobs.front()->what);
        return;
    }
    emit busyChanged(true);
    begin();
}

void ExportRunner::cancelAll() {
    if (m_jobs.size() > 1)
        m_jobs.erase(m_jobs.begin() + 1, m_jobs.end());
    cancel();
}

void ExportRunner::begin() {
    m_stop = std::stop_source();
    m_pool.start([this, job = m_jobs.front(), openFiles = m_openFiles ? m_openFiles() : ExportJob::Files(),
                  stop = m_stop.get_token()] { run(*job, openFiles, stop); });
}

void ExportRunner::run(const ExportJob& job, const ExportJob::Files& openFiles, const std::stop_token& stop) {
    const QString what = job.what;
    const auto progress = m_pool.progress([this, what](double done) { emit progressed(what, done); });
    Failure failure;
    bool isWritten = false;
    try {
        OutputCheck outputs(stop); // checked again: the path may now name an open file, or a link to one
        for (const ExportJob::Files* files : {&openFiles, &job.inputs})
            for (const std::filesystem::path& file : *files)
                outputs.addInput(file);
        outputs.addOutput(job.target, {});
        job.write(*job.snapshot, progress, stop);
        isWritten = true;
    } catch (...) {
        failure = failureOf(std::current_exception(), tr("Use a larger voxel size or a smaller range."));
    }
    m_pool.post([this, isWritten, failure] {
        const std::shared_ptr<const ExportJob> ended = m_jobs.front();
        if (isWritten)
            emit exported(ended->what);
        else if (failure.sentence.isEmpty())
            emit cancelled(ended->what);
        else
            emit failed(failure.sentence, failure.nextStep);
        if (isWritten && ended->whenWritten)
            ended->whenWritten();
        end();
    });
}

void ExportRunner::end() {
    m_jobs.pop_front();
    if (m_jobs.empty())
        emit busyChanged(false);
    else
        begin();
}

} // namespace scanloupe::gui
