// Runs a ScanAligner over a list of scans.
#include "engine/align/align_scans.h"

#include "engine/cloud/error.h"
#include "engine/compute/side_by_side.h"
#include "kernels/core/devices.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

namespace scanloupe {

Trajectory AlignOutcome::trajectory() const {
    Trajectory trajectory;
    for (const AlignedScanPtr& scan : scans)
        trajectory.poses.push_back(scan->alignment.pose);
    return trajectory;
}

std::size_t AlignOutcome::failedCount() const {
    return std::size_t(
        std::count_if(scans.begin(), scans.end(), [](const AlignedScanPtr& s) { return s->failed; }));
}

std::size_t AlignOutcome::countOf(PoseWord word) const {
    return std::size_t(std::count_if(scans.begin(), scans.end(), [&](const AlignedScanPtr& s) {
        return !s->failed && s->alignment.verdict.word == word;
    }));
}

std::vector<PosedCloud> AlignOutcome::posedClouds(bool withDoubtful) const {
    std::vector<PosedCloud> posed;
    for (const AlignedScanPtr& scan : scans) {
        const PoseWord word = scan->alignment.verdict.word;
        if (scan->cloud && (word == PoseWord::right || (withDoubtful && word == PoseWord::doubtful)))
            posed.push_back({scan->cloud, scan->alignment.pose});
    }
    return posed;
}

namespace {

/// A scan that is aligned by what an aligner knows.
AlignedScan alignedScan(const AlignJob& job, std::size_t number, ScanAligner& aligner,
                        const std::shared_ptr<const PointCloud>& cloud,
                        const std::optional<RigidTransform>& start, const std::stop_token& stop) {
    AlignedScan scan;
    scan.path = job.scans[number];
    scan.alignment = aligner.add(*cloud, start, stop);
    if (job.keepClouds)
        scan.cloud = cloud;
    if (!scan.alignment.hasPose)
        scan.problem = describe(scan.alignment.ndt.end);
    return scan;
}

AlignedScan failedScan(const AlignJob& job, std::size_t number, const Error& error,
                       const RigidTransform& pose) {
    AlignedScan scan;
    scan.path = job.scans[number];
    scan.problem = error.what();
    scan.failed = true;
    scan.alignment.start = scan.alignment.pose = pose;
    return scan;
}

AlignOutcome alignInTurn(const AlignJob& job, const std::stop_token& stop) {
    const std::size_t count = job.scans.size();
    ScanAligner aligner(job.params, job.backend);
    AlignOutcome outcome;
    for (std::size_t i = 0; i < count; ++i) {
        std::optional<RigidTransform> start;
        if (job.starts.size() == count)
            start = job.starts[i];
        else if (i == 1 && job.starts.size() == 1)
            start = job.starts.front();
        AlignedScan scan;
        try {
            scan = alignedScan(job, i, aligner, job.read(i), start, stop);
        } catch (const Error& error) {
            if (i == 0)
                throw; // without a first scan there is no common frame
            scan = failedScan(job, i, error, start.value_or(aligner.predictedPose()));
            aligner.recordPose(scan.alignment.pose);
        }
        outcome.scans.push_back(std::make_shared<const AlignedScan>(std::move(scan)));
        if (job.onAligned)
            job.onAligned(i, outcome.scans.back());
    }
    outcome.params = aligner.params();
    return outcome;
}

/// Scans that don't depend on each other, shared out: each worker has the first scan, and takes the next one
/// of the others.
class SharedAlignment {
public:
    SharedAlignment(const AlignJob& job, const std::stop_token& stop) : m_job(job), m_stop(stop) {
        m_outcome.scans.resize(job.scans.size());
    }

    AlignOutcome run() {
        m_first = m_job.read(0);
        std::vector<std::function<void()>> functions{[] {}}; // this thread keeps its device
        for (const ComputeWorker& worker : m_job.workers)
            functions.push_back([this, worker] {
                try {
                    work(worker);
                } catch (...) {
                    m_hasFailed = true;
                    throw;
                }
            });
        runSideBySide(functions);
        return std::move(m_outcome);
    }

private:
    /// An aligner that knows the first scan.
    std::unique_ptr<ScanAligner> begun(Backend backend) {
        auto aligner = std::make_unique<ScanAligner>(m_job.params, backend);
        auto first = std::make_shared<const AlignedScan>(
            alignedScan(m_job, 0, *aligner, m_first, m_job.starts.front(), m_stop));
        const std::lock_guard lock(m_mutex);
        if (!m_outcome.scans[0]) {
            m_outcome.params = aligner->params();
            report(0, std::move(first));
        }
        return aligner;
    }
    /// As begun() on the device of the worker; null if it fails, which is noted.
    std::unique_ptr<ScanAligner> begunOnDevice(const ComputeWorker& worker) {
        try {
            useDevice(*worker.device);
            return begun(Backend::cuda);
        } catch (const KernelError& error) {
            const std::lock_guard lock(m_mutex);
            m_outcome.givenUp.push_back(
                fmt::format("{} was given up, the host took over: {}", nameOf(worker), error.what()));
            return nullptr;
        }
    }

    void work(const ComputeWorker& worker) {
        std::unique_ptr<ScanAligner> onDevice, onHost;
        if (worker.device)
            onDevice = begunOnDevice(worker);
        for (std::size_t number = m_next++; number < m_job.scans.size() && !m_hasFailed; number = m_next++) {
            const RigidTransform& start = m_job.starts[number];
            std::shared_ptr<const PointCloud> cloud;
            std::optional<AlignedScan> scan;
            try {
                const std::lock_guard lock(m_reading);
                cloud = m_job.read(number);
            } catch (const Error& error) {
                scan = failedScan(m_job, number, error, start);
            }
            if (!scan && onDevice)
                try {
                    scan = alignedScan(m_job, number, *onDevice, cloud, start, m_stop);
                } catch (const KernelError&) { // of the scan, or of the device: a new beginning tells
                    onDevice = begunOnDevice(worker);
                } catch (const Error& error) {
                    scan = failedScan(m_job, number, error, start);
                }
            if (!scan && !onHost)
                onHost = begun(Backend::cpu); // fails as a whole where the first scan can't be aligned to
            if (!scan)
                try {
                    scan = alignedScan(m_job, number, *onHost, cloud, start, m_stop);
                } catch (const Error& error) {
                    scan = failedScan(m_job, number, error, start);
                }
            const std::lock_guard lock(m_mutex);
            report(number, std::make_shared<const AlignedScan>(*std::move(scan)));
        }
    }

    /// To be called with m_mutex held.
    void report(std::size_t number, AlignedScanPtr scan) {
        m_outcome.scans[number] = std::move(scan);
        for (; m_reported < m_outcome.scans.size() && m_outcome.scans[m_reported]; ++m_reported)
            if (m_job.onAligned)
                m_job.onAligned(m_reported, m_outcome.scans[m_reported]);
    }

    const AlignJob& m_job;
    std::stop_token m_stop;
    std::shared_ptr<const PointCloud> m_first;
    std::atomic<std::size_t> m_next = 1;
    std::atomic<bool> m_hasFailed = false;
    std::mutex m_reading, m_mutex; ///< m_mutex: of what follows
    AlignOutcome m_outcome;
    std::size_t m_reported = 0; ///< scans that onAligned was called for
};

} // namespace

AlignOutcome alignScans(const AlignJob& job, const std::stop_token& stop) {
    const std::size_t count = job.scans.size();
    if (count < 2)
        throw EngineError(fmt::format("There {} to align.", count == 0 ? "are no scans" : "is one scan only"),
                          "Give two or more, or a folder of them; the others are aligned to the first.");
    if (job.starts.size() > 1 && job.starts.size() != count)
        throw EngineError(
            fmt::format("There are {} poses to start from and {} scans.", job.starts.size(), count),
            "Give a pose for every scan, in the same order, or one for the second scan.");
    if (job.workers.empty())
        return alignInTurn(job, stop);
    if (job.params.to != AlignTo::first || job.starts.size() != count)
        throw EngineError("Scans that are aligned to each other can't be shared out.",
                          "Have each begin at a pose of its own and aligned to the first (--to first "
                          "--start-poses FILE), or leave --devices out.");
    return SharedAlignment(job, stop).run();
}

} // namespace scanloupe
