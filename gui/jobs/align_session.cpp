// Runs the alignment of scans on a worker thread.
#include "gui/jobs/align_session.h"

#include "engine/io/scan_reader.h"
#include "engine/io/volume/read_volume.h"

namespace scanloupe::gui {

AlignSession::AlignSession(QObject* parent)
    : QObject(parent), m_pool(*this, 2) {} // one, and a cancelled one that is still stopping

AlignSession::~AlignSession() {
    m_stop.request_stop();
}

void AlignSession::start(const std::vector<std::filesystem::path>& scans, const AlignParams& params,
                         Backend backend) {
    m_stop.request_stop();
    m_stop = std::stop_source();
    m_outcome = nullptr;
    const int number = ++m_number;
    setBusy(true);
    m_pool.start([this, number, scans, params, backend, stop = m_stop.get_token()] {
        AlignJob job;
        job.scans = scans;
        job.params = params;
        job.backend = backend;
        job.read = [&](std::size_t i) -> std::shared_ptr<const PointCloud> {
            if (isVolumeFile(scans[i]))
                throw EngineError(tr("it is a raw volume, which has no points").toStdString(),
                                  tr("Leave it out.").toStdString());
            return readScan(scans[i], {}, stop);
        };
        job.onAligned = [&](std::size_t i, const AlignedScanPtr& scan) {
            post(number, [this, i, scan] { emit aligned(int(i), scan); });
        };
        AlignOutcomePtr outcome;
        const auto report = [this, number](const Failure& failure) {
            if (number == m_number)
                fail(failure.sentence, failure.nextStep);
        };
        m_pool.guarded(
            report, [&] { outcome = std::make_shared<const AlignOutcome>(alignScans(job, stop)); },
            tr("Choose fewer scans."));
        post(number, [this, outcome] { end(outcome); }); // after a failure, it has ended
    });
}

void AlignSession::cancel() {
    m_stop.request_stop();
    end(nullptr);
}

void AlignSession::post(int number, std::function<void()> action) {
    m_pool.post([this, number, action = std::move(action)] {
        if (number == m_number)
            action();
    });
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
