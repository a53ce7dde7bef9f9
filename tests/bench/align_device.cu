#include "tests/bench/align_device.h"

#include "kernels/register/ndt/cuda_ndt_run.cuh"

#include <algorithm>
#include <memory>
#include <vector>

namespace scanloupe::bench {

namespace {

using cuda::NdtDeviceJob;

constexpr unsigned kPlainThreads = 256;

/// One thread per point, with a tree reduction in shared memory for each term.
__global__ void plainTotals(NdtTableView map, NdtDeviceJob job, RigidTransform pose, double* sums) {
    __shared__ double space[kPlainThreads];
    float terms[kNdtTerms] = {};
    const std::size_t i = cuda::globalIndex();
    NdtPlace place;
    if (i < job.count && ndtPlace(map, pose, job.middle, job.points[i], place)) {
        NdtNear<float> near;
        ndtNearPoint(map, place, near);
        ndtPointSums(near, place.rotated.as<float>(), [&](int term, float value) { terms[term] += value; });
    }
#pragma unroll
    for (int term = 0; term < kNdtTerms; ++term) {
        space[threadIdx.x] = static_cast<double>(terms[term]);
        for (unsigned half = kPlainThreads / 2; half > 0; half /= 2) {
            __syncthreads();
            if (threadIdx.x < half)
                space[threadIdx.x] += space[threadIdx.x + half];
        }
        if (threadIdx.x == 0)
            sums[blockIdx.x * kNdtTerms + static_cast<unsigned>(term)] = space[0];
        __syncthreads();
    }
}

/// An event with RAII.
class Event {
public:
    Event() { cuda::check(cudaEventCreate(&m_event), "cudaEventCreate"); }
    ~Event() { cuda::checkNoThrow(cudaEventDestroy(m_event)); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    void record(StreamView stream) {
        cuda::check(cudaEventRecord(m_event, cuda::ownStream(stream)), "cudaEventRecord");
    }
    void holdBack(StreamView stream) const {
        cuda::check(cudaStreamWaitEvent(cuda::ownStream(stream), m_event, 0), "cudaStreamWaitEvent");
    }
    double since(const Event& earlier) const {
        float ms = 0;
        cuda::check(cudaEventSynchronize(m_event), "cudaEventSynchronize");
        cuda::check(cudaEventElapsedTime(&ms, earlier.m_event, m_event), "cudaEventElapsedTime");
        return double(ms);
    }

private:
    cudaEvent_t m_event = nullptr;
};

/// One of the buffers that batches of scans pass through.
struct Lane {
    Buffer<Vec3f> pinned, points;
    Buffer<NdtDeviceJob> jobs;
    Buffer<cuda::NdtDeviceEnd> ends;
    Buffer<std::uint32_t> queue;
};

} // namespace

PlainAlignment alignPlainly(const cuda::NdtDeviceMap& map, const cuda::NdtDeviceScan& scan,
                            const RigidTransform& start, const NdtParams& params, StreamView stream) {
    const WallTimer timer;
    const cuda::NdtRun run = cuda::ndtRun(map, params);
    const NdtDeviceJob job = cuda::ndtJob(map, scan, start);
    const unsigned blocks = (job.count + kPlainThreads - 1) / kPlainThreads;
    auto sums = Buffer<double>::in(MemorySpace::device, std::size_t{blocks} * kNdtTerms, stream);
    auto onHost = Buffer<double>::in(MemorySpace::pinned, sums.size(), stream);
    NdtNewtonParams newtonParams = run.newtonParams;
    newtonParams.arc = job.arc;
    NdtNewtonState newton(job.start);
    while (!newton.done) {
        plainTotals<<<blocks, kPlainThreads, 0, cuda::ownStream(stream)>>>(run.map, job, newton.candidate,
                                                                           sums.data());
        cuda::check(cudaGetLastError(), "plainTotals");
        scanloupe::detail::copyBytes(onHost.data(), MemorySpace::pinned, sums.data(), MemorySpace::device,
                                     sums.bytes(), stream);
        stream.synchronize();
        newton.candidateTotals() = {};
        for (std::size_t i = 0; i < onHost.size(); ++i)
            newton.candidateTotals().terms[i % kNdtTerms] += onHost[i];
        newton.update(newtonParams, nullptr);
    }
    return {cuda::ndtFrame(map, scan).toWorld(newton.pose), newton.iterations, timer.elapsedMs()};
}

OverlapTimes streamBatches(const cuda::NdtDeviceMap& map, const NdtScan& scan, const RigidTransform& start,
                           const NdtParams& params, int scansOfBatch, int batches, bool doubleBuffered) {
    const Stream copies, alignments;
    const std::size_t count = scan.points.size(), ofBatch = count * std::size_t(scansOfBatch);
    const std::size_t lanes = doubleBuffered ? 2 : 1;
    NdtParams plain = params;
    plain.trace = plain.pointScores = plain.geometry = false;
    const cuda::NdtRun run = cuda::ndtRun(map, plain);
    const NdtSpread spread = ndtSpread(scan.points, {});
    const RigidTransform local = NdtFrame{map.origin(), scan.origin + spread.middle}.toLocal(start);
    const std::vector<Vec3f> points =
        inOrder(scan.points, ndtOrder(scan.points)); // the order in which NdtDeviceScan stores points
    std::vector<Lane> buffers(lanes);
    for (Lane& lane : buffers) {
        lane.pinned = Buffer<Vec3f>::in(MemorySpace::pinned, ofBatch, copies);
        lane.points = Buffer<Vec3f>::in(MemorySpace::device, ofBatch, copies);
        std::vector<NdtDeviceJob> jobs;
        for (int k = 0; k < scansOfBatch; ++k) {
            std::copy(points.begin(), points.end(), lane.pinned.data() + count * std::size_t(k));
            jobs.push_back({lane.points.data() + count * std::size_t(k), static_cast<std::uint32_t>(count),
                            spread.middle, 1 / spread.radius, local});
        }
        lane.jobs = hostCopy(std::span<const NdtDeviceJob>(jobs)).copyTo(MemorySpace::device, copies);
        lane.ends = Buffer<cuda::NdtDeviceEnd>::in(MemorySpace::device, jobs.size(), copies);
        lane.queue = Buffer<std::uint32_t>::in(MemorySpace::device, 1, copies);
        copies.view().synchronize();
    }
    struct Marks {
        Event copyBegin, copyEnd, alignBegin, alignEnd;
    };
    std::vector<std::unique_ptr<Marks>> marks;
    for (int i = 0; i < batches; ++i)
        marks.push_back(std::make_unique<Marks>());
    for (std::size_t i = 0; i < marks.size(); ++i) {
        Lane& lane = buffers[i % lanes];
        if (i >= lanes) // this lane's buffer is free once the previous batch in it is aligned
            marks[i - lanes]->alignEnd.holdBack(copies);
        marks[i]->copyBegin.record(copies);
        scanloupe::detail::copyBytes(lane.points.data(), MemorySpace::device, lane.pinned.data(),
                                     MemorySpace::pinned, lane.points.bytes(), copies);
        marks[i]->copyEnd.record(copies);
        marks[i]->copyEnd.holdBack(alignments);
        cuda::check(cudaMemsetAsync(lane.queue.data(), 0, sizeof(std::uint32_t), cuda::ownStream(alignments)),
                    "cudaMemsetAsync");
        marks[i]->alignBegin.record(alignments);
        cuda::queueBatch(run, lane.jobs.data(), static_cast<std::uint32_t>(scansOfBatch), lane.queue.data(),
                         lane.ends.data(), nullptr, alignments);
        marks[i]->alignEnd.record(alignments);
    }
    OverlapTimes times;
    for (const auto& mark : marks) {
        times.copyMs += mark->copyEnd.since(mark->copyBegin);
        times.alignMs += mark->alignEnd.since(mark->alignBegin);
    }
    times.totalMs = marks.back()->alignEnd.since(marks.front()->copyBegin);
    alignments.view().synchronize();
    copies.view().synchronize();
    return times;
}

} // namespace scanloupe::bench
