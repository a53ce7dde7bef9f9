// Runs the alignment of scans on a worker thread.
#include "gui/jobs/align_session.h"

#include "engine/io/scan_reader.h"
#include "engine/io/volume/read_volume.h"
#include "gui/jobs/failure.h"
#include "kernels/core/thread_priority.h"

namespace scanloupe::gui {

AlignSession::AlignSession(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(2); // one, and a cancelled one that is still stopping
}

AlignSession::~AlignSession() {
    m_stop.request_stop();
    m_pool.waitForDone();
}

void AlignSession::start(const std::vector<std::filesystem::path>& scans, const AlignParams& params,
                         Backend backend) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_outcome = nullptr;
    const int number = ++m_number;
    setBusy(true);
    m_pool.start([this, number, scans, params, backend, stop = m_stop.get_token()] {
        lowerThreadPriority();
        AlignJob job;
        job.scans = scans;
        job.params = params;
        job.backend = backend;
        job.keepClouds = true;
        job.read = [&](std::size_t i) -> std::shared_ptr<const PointCloud> {
            if (isVolumeFile(scans[i]))
                throw EngineError(tr("it is a raw volume, which has no points").toStdString(),
                                  tr("Leave it out.").toStdString());
            return readScan(scans[i], {}, stop);
        };
        job.onAligned = [&](std::size_t i, const AlignedScanPtr& scan) {
            post(number, [this, i, scan] { emit aligned(int(i), scan); });
        };
        try {
            const auto outcome = std::make_shared<const AlignOutcome>(alignScans(job, stop));
            post(number, [this, outcome] { end(outcome); });
        } catch (...) {
            const Failure failure = failureOf(std::current_exception(), tr("Choose fewer scans."));
            post(number, [this, failure] {
                if (failure.sentence.isEmpty())
                    end(nullptr);
                else
                    fail(failure.sentence, failure.nextStep);
            });
        }
    });
}

void AlignSession::cancel() {
    m_stop.request_stop();
    end(nullptr);
}

void AlignSession::post(int number, std::function<void()> action) {
    QMetaObject::invokeMethod(
        this,
        [this, number, action = std::move(action)] {
            if (number == m_number)
                action();
        },
        Qt::QueuedConnection);
}

void AlignSession::setBusy(bool busy) {
    if (busy == m_busy)
        return;
    m_busy = busy;
    emit busyChanged(busy);
}

void AlignSession::end(const AlignOutcomePtr& outcome) {
    ++m_number; // results that are still queued are outdated
    m_outcome = outcome;
    setBusy(false);
    if (outcome)
        emit finished();
}

void AlignSession::fail(const QString& sentence, const QString& nextStep) {
    end(nullptr);
    emit failed(sentence, nextStep);
}

} // namespace scanloupe::gui
