// Implements the host side of NDT registration on the GPU: checks parameters, queues kernels and copies
// results to the host.
#include "kernels/register/ndt/cuda_ndt_run.cuh"

#include <algorithm>
#include <string>

namespace scanloupe::cuda {

namespace {

/// Maximum number of jobs per launch. A launch cannot be cancelled; one of this size takes at most about 20
/// ms.
constexpr std::size_t kJobsAtOnce = 2048;

/// Device memory for the results of jobs that run concurrently.
struct JobSpace {
    Buffer<NdtDeviceEnd> ends;
    Buffer<NdtTraceEntry> traces; ///< [jobs, maxIterations] trace of each job
    std::size_t iterations;

    JobSpace(std::size_t jobs, const NdtParams& params, StreamView stream)
        : ends(Buffer<NdtDeviceEnd>::in(MemorySpace::device, jobs, stream)),
          traces(Buffer<NdtTraceEntry>::in(
              MemorySpace::device, params.trace ? jobs * std::size_t(params.maxIterations) : 0, stream)),
          iterations(std::size_t(params.maxIterations)) {}
};

/// Fills the parts of a result that are known before the launch. @returns true if no launch is needed
bool endsAtOnce(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start,
                const NdtParams& params, NdtResult& result) {
    result.pose = checkNdtStart(start);
    result.pointsNotFinite = scan.points().size() - scan.spread().finite;
    if (scan.spread().finite > 0 && map.cellCount() > 0)
        return false;
    result.end = scan.spread().finite == 0 ? NdtEnd::noPoints : NdtEnd::noCells;
    if (params.pointScores) {
        result.pointScores = Buffer<float>::host(scan.points().size());
        result.pointCells = Buffer<std::uint32_t>::host(scan.points().size());
        std::fill_n(result.pointScores.data(), scan.points().size(), std::numeric_limits<float>::quiet_NaN());
        std::fill_n(result.pointCells.data(), scan.points().size(), kNoCell);
    }
    return true;
}

void fillResult(const NdtDeviceMap& map, const NdtDeviceScan& scan, const NdtParams& params,
                const NdtDeviceEnd& end, const NdtTraceEntry* trace, NdtResult& result) {
    const NdtFrame frame = ndtFrame(map, scan);
    const double d1 = ndtGauss(map.params().resolution, params.outlierRatio).d1;
    result.end = end.end;
    result.iterations = end.iterations;
    for (int i = 0; params.trace && i < end.iterations; ++i)
        result.trace.push_back(toWorld(frame, trace[i]));
    setOutcome({end.pose, end.totals, end.wide, d1}, frame, scan.spread(), params, result);
}

/// Fills in the scores of all points at the final pose.
void fillPointScores(const NdtRun& run, const NdtDeviceScan& scan, const NdtDeviceJob& job,
                     const NdtDeviceEnd* end, NdtResult& result, StreamView stream) {
    auto scores = Buffer<float>::in(MemorySpace::device, job.count, stream);
    auto cells = Buffer<std::uint32_t>::in(MemorySpace::device, job.count, stream);
    queuePointScores(run, job, &end->pose, scores.data(), cells.data(), stream);
    const auto orderedScores = scores.copyTo(MemorySpace::host, stream);
    const auto orderedCells = cells.copyTo(MemorySpace::host, stream);
    result.pointScores = Buffer<float>::host(job.count);
    result.pointCells = Buffer<std::uint32_t>::host(job.count);
    for (std::size_t i = 0; i < job.count; ++i) {
        result.pointScores[scan.order()[i]] = orderedScores[i];
        result.pointCells[scan.order()[i]] = orderedCells[i];
    }
    result.cost.bytes = result.pointScores.bytes() + result.pointCells.bytes();
}

template <class T>
std::vector<T> download(const T* from, std::size_t count, StreamView stream) {
    std::vector<T> values(count);
    detail::copyBytes(values.data(), MemorySpace::host, from, MemorySpace::device, count * sizeof(T), stream);
    stream.synchronize();
    return values;
}

/// Runs one job by `queue(run, job, end, trace)`, which may be asynchronous.
template <class Queue>
NdtResult runOne(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start,
                 const NdtParams& params, const std::stop_token& stop, StreamView stream, Queue&& queue) {
    checkNdt(params);
    if (stop.stop_requested())
        throw Cancelled();
    const WallTimer wall;
    NdtResult result;
    if (endsAtOnce(map, scan, start, params, result))
        return result;
    const JobSpace space(1, params, stream);
    const NdtRun run = ndtRun(map, params);
    const NdtDeviceJob job = ndtJob(map, scan, result.pose);
    auto* end = const_cast<NdtDeviceEnd*>(space.ends.data());
    EventTimer device(stream);
    queue(run, job, end, params.trace ? const_cast<NdtTraceEntry*>(space.traces.data()) : nullptr);
    device.stop();
    const std::vector<NdtDeviceEnd> ends = download(space.ends.data(), 1, stream);
    const std::vector<NdtTraceEntry> trace =
        download(space.traces.data(), params.trace ? std::size_t(ends.front().iterations) : 0, stream);
    fillResult(map, scan, params, ends.front(), trace.data(), result);
    if (params.pointScores)
        fillPointScores(run, scan, job, end, result, stream);
    result.cost.deviceMs = device.elapsedMs();
    result.cost.wallMs = wall.elapsedMs();
    return result;
}

} // namespace

NdtRun ndtRun(const NdtDeviceMap& map, const NdtParams& params) {
    NdtRun run;
    run.map = map.table(params.neighbours, params.outlierRatio);
    run.wide = map.table(NdtNeighbours::direct27, params.outlierRatio);
    run.newtonParams = ndtNewtonParams(params, 1, kDeviceRounding);
    run.geometry = params.geometry;
    return run;
}
NdtFrame ndtFrame(const NdtDeviceMap& map, const NdtDeviceScan& scan) {
    return {map.origin(), scan.origin() + scan.spread().middle};
}
NdtDeviceJob ndtJob(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start) {
    if (scan.points().size() >= kNoCell)
        throw KernelError("a scan of 2^32 points or more cannot be aligned", "Thin the scan.");
    return {scan.points().data(), static_cast<std::uint32_t>(scan.points().size()), scan.spread().middle,
            1 / scan.spread().radius, ndtFrame(map, scan).toLocal(start)};
}

NdtDeviceScan::NdtDeviceScan(const NdtScan& scan, const std::stop_token& stop, StreamView stream)
    : m_origin(scan.origin), m_spread(ndtSpread(scan.points, stop)), m_order(ndtOrder(scan.points)),
      m_points(Buffer<Vec3f>::in(MemorySpace::device, scan.points.size(), stream)) {
    const std::vector<Vec3f> ordered = inOrder(scan.points, m_order);
    detail::copyBytes(m_points.data(), MemorySpace::device, ordered.data(), MemorySpace::host,
                      m_points.bytes(), stream);
    stream.synchronize();
}

NdtResult alignNdt(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& start,
                   const NdtParams& params, const NdtLaunchBounds& bounds, const std::stop_token& stop,
                   StreamView stream) {
    return runOne(map, scan, start, params, stop, stream,
                  [&](const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, NdtTraceEntry* trace) {
                      queueAlignment(run, job, bounds, end, trace, stream);
                  });
}

NdtResult scoreNdt(const NdtDeviceMap& map, const NdtDeviceScan& scan, const RigidTransform& pose,
                   const NdtParams& params, const std::stop_token& stop, StreamView stream) {
    return runOne(map, scan, pose, params, stop, stream,
                  [&](const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, NdtTraceEntry*) {
                      queueScore(run, job, end, stream);
                  });
}

std::vector<NdtResult> alignNdtBatch(const NdtDeviceMap& map, std::span<const NdtDeviceScan> scans,
                                     std::span<const NdtJob> jobs, const NdtParams& params,
                                     const std::stop_token& stop, StreamView stream) {
    checkNdt(params);
    const NdtRun run = ndtRun(map, params);
    std::vector<NdtResult> results(jobs.size());
    for (std::size_t begin = 0; begin < jobs.size(); begin += kJobsAtOnce) {
        if (stop.stop_requested())
            throw Cancelled();
        const WallTimer wall;
        const std::size_t end = std::min(jobs.size(), begin + kJobsAtOnce);
        std::vector<NdtDeviceJob> queued;
        std::vector<std::size_t> which; // [queued] index in `jobs` of each queued job
        for (std::size_t i = begin; i < end; ++i) {
            if (jobs[i].scan >= scans.size())
                throw Fault("an alignment of a scan that isn't there was asked for");
            const NdtDeviceScan& scan = scans[jobs[i].scan];
            if (endsAtOnce(map, scan, jobs[i].start, params, results[i]))
                continue;
            queued.push_back(ndtJob(map, scan, results[i].pose));
            which.push_back(i);
        }
        if (queued.empty())
            continue;
        const Buffer<NdtDeviceJob> onDevice =
            hostCopy(std::span<const NdtDeviceJob>(queued)).copyTo(MemorySpace::device, stream);
        JobSpace space(queued.size(), params, stream);
        auto queue = Buffer<std::uint32_t>::in(MemorySpace::device, 1, stream);
        check(cudaMemsetAsync(queue.data(), 0, queue.bytes(), ownStream(stream)), "cudaMemsetAsync");
        EventTimer device(stream);
        queueBatch(run, onDevice.data(), static_cast<std::uint32_t>(queued.size()), queue.data(),
                   space.ends.data(), params.trace ? space.traces.data() : nullptr, stream);
        device.stop();
        const std::vector<NdtDeviceEnd> ends = download(space.ends.data(), queued.size(), stream);
        const std::vector<NdtTraceEntry> traces =
            download(space.traces.data(), params.trace ? space.traces.size() : 0, stream);
        for (std::size_t k = 0; k < queued.size(); ++k) {
            NdtResult& result = results[which[k]];
            fillResult(map, scans[jobs[which[k]].scan], params, ends[k],
                       params.trace ? traces.data() + k * space.iterations : nullptr, result);
            if (params.pointScores)
                fillPointScores(run, scans[jobs[which[k]].scan], queued[k], space.ends.data() + k, result,
                                stream);
            result.cost.deviceMs = device.elapsedMs();
            result.cost.wallMs = wall.elapsedMs();
        }
    }
    return results;
}

NdtFound findPoseNdt(const NdtDeviceMap& map, const NdtScan& scan, std::span<const RigidTransform> starts,
                     const NdtParams& params, const NdtSearch& search, const std::stop_token& stop,
                     StreamView stream) {
    return findPose(scan, starts, params, search,
                    [&](std::span<const NdtScan> scans, std::span<const NdtJob> jobs, const NdtParams& with) {
                        std::vector<NdtDeviceScan> there;
                        for (const NdtScan& one : scans)
                            there.emplace_back(one, stop, stream);
                        return alignNdtBatch(map, there, jobs, with, stop, stream);
                    });
}

} // namespace scanloupe::cuda
