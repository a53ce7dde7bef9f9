// Runs ScanAligners over a list of scans: sequentially, or distributed over several workers.
#include "engine/align/align_scans.h"

#include "engine/align/drive_aligner.h"
#include "engine/align/scan_check.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/compute/side_by_side.h"
#include "kernels/core/devices.h"
#include "kernels/core/parallel.h"

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

std::size_t AlignOutcome::closedLoops() const {
    return std::size_t(std::count_if(loops.begin(), loops.end(),
                                     [](const LoopEdge& loop) { return loop.state == LoopState::closed; }));
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

AlignedScan alignedScan(const AlignJob& job, std::size_t number, ScanAlignment alignment,
                        const std::shared_ptr<const PointCloud>& cloud) {
    AlignedScan scan;
    scan.path = job.scans[number];
    scan.alignment = std::move(alignment);
    if (job.keepClouds)
        scan.cloud = cloud;
    if (!scan.alignment.hasPose)
        scan.problem = describe(scan.alignment.ndt.end);
    return scan;
}

std::shared_ptr<const PointCloud> readScanOf(const AlignJob& job, std::size_t number) {
    std::shared_ptr<const PointCloud> cloud = job.read(number);
    if (job.onRead)
        job.onRead(number, *cloud);
    return cloud;
}

AlignedScan failedScan(const AlignJob& job, std::size_t number, const Error& error,
                       const RigidTransform& pose) {
    AlignedScan scan;
    scan.path = job.scans[number];
    scan.problem = error.what();
    scan.nextStep = error.nextStep();
    scan.failed = true;
    scan.alignment.start = scan.alignment.pose = pose;
    return scan;
}

namespace {

/// Aligns scans that are independent of each other on several workers. Each worker has an aligner whose
/// target is the first scan, and repeatedly takes the next scan that is not aligned yet.
class SharedAlignment {
public:
    SharedAlignment(const AlignJob& job, const std::stop_token& stop) : m_job(job), m_stop(stop) {
        m_outcome.scans.resize(job.scans.size());
    }

    AlignOutcome run() {
        m_first = readScanOf(m_job, 0);
        m_check.emplace(*m_first);
        std::vector<std::function<void()>> functions{[] {}}; // keeps the calling thread on its device
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
    /// Creates an aligner and adds the first scan to it.
    std::unique_ptr<ScanAligner> begun(Backend backend) {
        auto aligner = std::make_unique<ScanAligner>(m_job.params, backend);
        auto first = std::make_shared<const AlignedScan>(
            alignedScan(m_job, 0, aligner->add(*m_first, m_job.starts.front(), m_stop), m_first));
        const std::lock_guard lock(m_mutex);
        if (!m_outcome.scans[0]) {
            m_outcome.params = aligner->params();
            report(0, std::move(first));
        }
        return aligner;
    }
    /// Like begun(), on the worker's device. Returns null on failure and records the error.
    std::unique_ptr<ScanAligner> begunOnDevice(const ComputeWorker& worker) {
        try {
            useDevice(*worker.device);
            return begun(Backend::cuda);
        } catch (const KernelError& error) {
            const std::lock_guard lock(m_mutex);
            m_outcome.givenUp.push_back(
                fmt::format("{} failed and was replaced by the CPU: {}", nameOf(worker), error.what()));
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
                cloud = readScanOf(m_job, number);
                m_check->require(*cloud);
            } catch (const Error& error) {
                scan = failedScan(m_job, number, error, start);
            }
            if (!scan && onDevice)
                try {
                    scan = alignedScan(m_job, number, onDevice->add(*cloud, start, m_stop), cloud);
                } catch (const KernelError&) { // either the scan or the device caused the error: restarting
                                               // on the device shows which
                    onDevice = begunOnDevice(worker);
                } catch (const Error& error) {
                    scan = failedScan(m_job, number, error, start);
                }
            if (!scan && !onHost)
                onHost = begun(Backend::cpu); // throws if no scan can be aligned to the first one
            if (!scan)
                try {
                    scan = alignedScan(m_job, number, onHost->add(*cloud, start, m_stop), cloud);
                } catch (const Error& error) {
                    scan = failedScan(m_job, number, error, start);
                }
            const std::lock_guard lock(m_mutex);
            report(number, std::make_shared<const AlignedScan>(*std::move(scan)));
        }
    }

    /// Stores the result of a scan and reports all that are next in order. Requires m_mutex to be held.
    void report(std::size_t number, AlignedScanPtr scan) {
        m_outcome.scans[number] = std::move(scan);
        for (; m_reported < m_outcome.scans.size() && m_outcome.scans[m_reported]; ++m_reported)
            if (m_job.onAligned)
                m_job.onAligned(m_reported, m_outcome.scans[m_reported]);
    }

    const AlignJob& m_job;
    std::stop_token m_stop;
    std::shared_ptr<const PointCloud> m_first;
    std::optional<ScanCheck> m_check;
    std::atomic<std::size_t> m_next = 1;
    std::atomic<bool> m_hasFailed = false;
    std::mutex m_reading, m_mutex; ///< m_mutex guards the members below
    AlignOutcome m_outcome;
    std::size_t m_reported = 0; ///< number of scans for which onAligned was called
};

} // namespace

std::size_t concurrentReads() {
    constexpr int coresAReader = 4, most = 4;
    return std::size_t(std::clamp(parallelThreads() / coresAReader, 1, most));
}

AlignOutcome alignScans(const AlignJob& job, const std::stop_token& stop) {
    const std::size_t count = job.scans.size();
    if (count < 2)
        throw EngineError(
            fmt::format("Aligning requires at least 2 scans (got {}).", count),
            "Name two or more scans, or a folder of scans. All others are aligned to the first one.");
    if (job.starts.size() > 1 && job.starts.size() != count)
        throw EngineError(
            fmt::format("The number of initial poses ({}) must be 1 or the number of scans ({}).",
                        job.starts.size(), count),
            "Give a pose for every scan, in the same order, or one for the second scan.");
    if (job.workers.empty()) {
        AlignOutcome outcome = alignInTurn(job, stop);
        if (job.params.closeLoops && job.params.to != AlignTo::first)
            closeLoops(job, outcome, stop);
        return outcome;
    }
    if (job.params.to != AlignTo::first || job.starts.size() != count)
        throw EngineError(
            "--devices can only be used if every scan is aligned to the first one from its own initial pose.",
            "Add --to first and --start-poses FILE with one pose per scan, or omit --devices.");
    return SharedAlignment(job, stop).run();
}

} // namespace scanloupe
