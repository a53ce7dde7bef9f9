// Aligns many scans by one launch, whose blocks pop jobs from a queue, and scores all points at one pose.
#include "kernels/register/ndt/cuda_ndt_job.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

/// Number of resident blocks of kMaxThreads per multiprocessor; smaller blocks allow more. It limits
/// registers to 128 per thread.
constexpr unsigned kBatchBlocks = 2;
/// Number of slots that a thread of a batch loads at once; more than two would exceed this number of
/// registers.
constexpr int kBatchAtOnce = 2;

/// Runs many alignments: each block pops the next job until the queue is empty.
template <int kAround>
__global__ void __launch_bounds__(kMaxThreads, kBatchBlocks)
    alignMany(NdtRun run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
              NdtDeviceEnd* ends, NdtTraceEntry* traces) {
    RunSpace& space = runSpace();
    space.rows.clear();
    std::uint64_t epoch = 0;
    for (;;) {
        if (threadIdx.x == 0)
            space.job = atomicAdd(queue, 1U);
        __syncthreads();
        const std::uint32_t next = space.job;
        __syncthreads();
        if (next >= count)
            return;
        const NdtDeviceJob& job = jobs[next];
        const GridReduction alone{nullptr, 1, ndtWarps(job.count) / (blockDim.x / kLanes)};
        NoPoint none;
        runJob<kAround, kBatchAtOnce>(
            run, job, space, alone, 0, 1, epoch, none, false, ends[next],
            traces ? traces + std::size_t{next} * static_cast<std::size_t>(run.newtonParams.maxIterations)
                   : nullptr);
    }
}

/// Finds the best score of each point, and the cell with that score.
__global__ void scorePoints(NdtTableView map, NdtDeviceJob job, const RigidTransform* pose, float* scores,
                            std::uint32_t* cells) {
    const std::size_t i = globalIndex();
    if (i >= job.count)
        return;
    NdtPlace place;
    NdtNear<float> near;
    std::uint32_t best = kNoCell;
    if (ndtPlace(map, *pose, job.middle, job.points[i], place))
        withAround(map.around, [&](auto around) { best = nearPoint<around, 1>(map, place, near); });
    scores[i] = best == kNoCell ? __int_as_float(0x7fc00000) : near.best;
    cells[i] = best;
}

} // namespace

void queueBatch(const NdtRun& run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
                NdtDeviceEnd* ends, NdtTraceEntry* traces, StreamView stream) {
    if (count == 0)
        return;
    const auto kernel = run.map.around == 1   ? alignMany<1>
                        : run.map.around == 7 ? alignMany<7>
                                              : alignMany<27>;
    int device = 0, number = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    const auto multiprocessors = static_cast<unsigned>(number);
    // Uses smaller blocks if there are more jobs than resident blocks.
    constexpr unsigned resident = kBatchBlocks * kMaxThreads;
    unsigned threads = kMaxThreads;
    while (threads > 2 * kLanes && count > multiprocessors * (resident / threads))
        threads /= 2;
    const unsigned blocks = std::min(count, multiprocessors * (resident / threads));
    kernel<<<blocks, threads, kRunBytes, ownStream(stream)>>>(run, jobs, count, queue, ends, traces);
    check(cudaGetLastError(), "alignMany");
}

void queuePointScores(const NdtRun& run, const NdtDeviceJob& job, const RigidTransform* pose, float* scores,
                      std::uint32_t* cells, StreamView stream) {
    launch("scorePoints", job.count, stream, scorePoints, run.map, job, pose, scores, cells);
}

} // namespace scanloupe::cuda
