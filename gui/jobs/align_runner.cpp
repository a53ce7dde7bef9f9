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

void AlignRunner::start(const std::vector<std::filesystem::path>& scans, const AlignParams& params,
                        Backend backend) {
    m_outcome = nullptr;
    run(
        [this, scans, params, backend](const Post& post, const std::stop_token& stop) -> Action {
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
                post([this, i, scan, sample = samples[i]] { emit aligned(int(i), scan, sample); });
            };
            job.onMoved = job.onAligned;
            post([this, outcome = std::make_shared<const AlignOutcome>(alignScans(job, stop))] {
                m_outcome = outcome; // before busyChanged()
            });
            return [this] { emit finished(); };
        },
        tr("Choose fewer scans."));
}

void AlignRunner::cancel() {
    m_outcome = nullptr;
    JobRunner::cancel();
}

} // namespace scanloupe::gui
