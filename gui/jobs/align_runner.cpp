// Runs the alignment of scans on a worker thread.
#include "gui/jobs/align_runner.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/volume/read_volume.h"

#include <algorithm>
#include <vector>

namespace scanloupe::gui {

namespace {

constexpr std::size_t kSample = 6000; // points in a sample: the views draw up to four samples on every move

ScanSamplePtr sampleOf(const PointCloud& cloud) {
    auto sample = std::make_shared<std::vector<Vec3d>>();
    const std::size_t count = std::min(cloud.size(), kSample);
    for (std::size_t i = 0; i < count; ++i)
        if (const Vec3d p = cloud.position(i * cloud.size() / count); isFinite(p))
            sample->push_back(p);
    return sample;
}

} // namespace

AlignRunner::AlignRunner(QObject* parent)
    : QObject(parent), m_pool(*this, 2) {} // two threads: one job, and a cancelled one that is still stopping

AlignRunner::~AlignRunner() {
    m_stop.request_stop();
}

void AlignRunner::start(const std::vector<std::filesystem::path>& scans, const AlignParams& params,
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
        job.params.ndtFigures = true; // for the table
        job.backend = backend;
        // samples of scans whose alignment is missing or doubtful
        std::vector<ScanSamplePtr> samples(scans.size());
        job.read = [&](std::size_t i) -> std::shared_ptr<const PointCloud> {
            if (isVolumeFile(scans[i]))
                throw EngineError(tr("it is a raw volume, which has no points").toStdString(),
                                  tr("Leave it out.").toStdString());
            std::shared_ptr<const PointCloud> cloud = readScan(scans[i], {}, stop);
            samples[i] = sampleOf(*cloud);
            return cloud;
        };
        job.reads = concurrentReads();
        job.onAligned = [&](std::size_t i, const AlignedScanPtr& scan) {
            const bool isInDoubt = scan->alignment.hasPose && !scan->alignment.placed();
            if (!isInDoubt)
                samples[i] = nullptr;
            post(number, [this, i, scan, sample = samples[i]] { emit aligned(int(i), scan, sample); });
        };
        job.onMoved = job.onAligned;
        AlignOutcomePtr outcome;
        const auto report = [this, number](const Failure& failure) {
            if (number == m_number)
                fail(failure.sentence, failure.nextStep);
        };
        m_pool.guarded(
            report, [&] { outcome = std::make_shared<const AlignOutcome>(alignScans(job, stop)); },
            tr("Choose fewer scans."));
        post(number, [this, outcome] { end(outcome); }); // ends the alignment also after a failure
    });
}

void AlignRunner::cancel() {
    m_stop.request_stop();
    end(nullptr);
}

void AlignRunner::post(int number, std::function<void()> action) {
    m_pool.post([this, number, action = std::move(action)] {
        if (number == m_number)
            action();
    });
}

void AlignRunner::setBusy(bool busy) {
    if (busy == m_busy)
        return;
    m_busy = busy;
    emit busyChanged(busy);
}

void AlignRunner::end(const AlignOutcomePtr& outcome) {
    ++m_number; // results that are still queued are outdated
    m_outcome = outcome;
    setBusy(false);
    if (outcome)
        emit finished();
}

void AlignRunner::fail(const QString& sentence, const QString& nextStep) {
    end(nullptr);
    emit failed(sentence, nextStep);
}

} // namespace scanloupe::gui
