// Sums the totals of a pose with as many blocks as the scan needs, and aligns a scan with a CUDA graph: its
// conditional while node repeats the sums and the Newton update until the update says that it is done.
#include "kernels/core/cuda_check.h"
#include "kernels/register/cuda_ndt_run.cuh"
#include "kernels/register/cuda_ndt_sums.cuh"

#include <algorithm>
#include <bit>
#include <new>

namespace scanloupe::cuda {

namespace {

/// Threads of a block that sums: all rows of WarpRows are written, so none has to be cleared.
constexpr unsigned kSumThreads = kMostWarps * kLanes;

template <int kAround>
__global__ void __launch_bounds__(kSumThreads)
    sumBlocks(NdtTableView map, NdtDeviceJob job, const RigidTransform* pose, double* sums) {
    __shared__ WarpRows space;
    const unsigned warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
    const RigidTransform at = *pose;
    constexpr int atOnce = kAround == 27 ? 9 : kAround;
    space.rows[warp][lane] = sumOfRuns<kAround, atOnce>(map, GlobalFetch{}, job, at,
                                                        blockIdx.x * kMostWarps + warp, 1, ShuffleReduce{});
    __syncthreads();
    if (warp == 0)
        sums[blockIdx.x * kNdtTerms + lane] = space.sum();
}

/// Adds up the sums of all blocks, with one block; its first warp gets the result.
__device__ double joinBlocks(WarpRows& space, const double* sums, unsigned blocks, unsigned blocksPow2) {
    return sumOverBlocks(space, blocksPow2, [=](unsigned first, auto& values) {
#pragma unroll
        for (double& value : values)
            value = first < blocks ? sums[first * kNdtTerms + threadIdx.x % kLanes] : 0, ++first;
    });
}

/// Number of blocks that sum, and a power of two that is not smaller.
struct Blocks {
    unsigned number, power;
};

__global__ void joinTotals(const double* sums, Blocks blocks, double* totals) {
    __shared__ WarpRows space;
    const double sum = joinBlocks(space, sums, blocks.number, blocks.power);
    if (threadIdx.x < kLanes)
        totals[threadIdx.x] = sum;
}

__global__ void startNewton(RigidTransform start, NdtNewtonState* newton) {
    new (newton) NdtNewtonState(start);
}

/// Updates the Newton state by the totals at its candidate.
__global__ void updateNewton(NdtNewtonParams newtonParams, const double* sums, Blocks blocks,
                             NdtNewtonState* newton, NdtTraceEntry* trace, cudaGraphConditionalHandle again) {
    __shared__ WarpRows space;
    // a copy in shared memory: faster than the global memory in which the state is kept
    __shared__ __align__(16) unsigned char room[sizeof(NdtNewtonState)];
    auto& state = *reinterpret_cast<NdtNewtonState*>(room);
    if (threadIdx.x == 0)
        new (room) NdtNewtonState(*newton);
    const double sum = joinBlocks(space, sums, blocks.number, blocks.power);
    __syncthreads();
    if (threadIdx.x < kLanes)
        state.candidateTotals().terms[threadIdx.x] = sum;
    __syncwarp();
    if (threadIdx.x != 0)
        return;
    state.update(newtonParams, trace ? trace + state.iterations : nullptr);
    *newton = state;
    cudaGraphSetConditional(again, state.done ? 0 : 1);
}

__global__ void finishNewton(const double* sums, Blocks blocks, bool geometry, const NdtNewtonState* newton,
                             NdtDeviceEnd* end) {
    __shared__ WarpRows space;
    // `geometry` is uniform over the block
    const double wide = geometry ? joinBlocks(space, sums, blocks.number, blocks.power) : 0;
    if (threadIdx.x < kLanes)
        end->wide.terms[threadIdx.x] = wide;
    if (threadIdx.x != 0)
        return;
    end->pose = newton->pose;
    end->totals = newton->poseTotals();
    end->iterations = newton->iterations;
    end->end = newton->end;
}

__global__ void endScore(RigidTransform pose, NdtDeviceEnd* end) {
    end->pose = pose;
    end->iterations = 0;
    end->end = end->totals.pairs() > 0 ? NdtEnd::maxIterations : NdtEnd::noOverlap;
}

/// A graph whose only node, a conditional while, repeats what `queueBody` queues on a stream, as long as that
/// sets the handle. The memcheck of compute-sanitizer 2025.3 ends in it with a misaligned address, without
/// naming an access; the same kernels pass it when a loop on the host queues them.
class RepeatingGraph {
public:
    template <class Body>
    explicit RepeatingGraph(Body&& queueBody) {
        check(cudaGraphCreate(&m_graph, 0), "cudaGraphCreate");
        try {
            build(queueBody);
        } catch (...) { // a constructor that throws runs no destructor
            checkNoThrow(cudaGraphDestroy(m_graph));
            throw;
        }
    }
    ~RepeatingGraph() {
        checkNoThrow(cudaGraphExecDestroy(m_exec));
        checkNoThrow(cudaGraphDestroy(m_graph));
    }
    RepeatingGraph(const RepeatingGraph&) = delete;
    RepeatingGraph& operator=(const RepeatingGraph&) = delete;

    void launch(StreamView stream) { check(cudaGraphLaunch(m_exec, ownStream(stream)), "cudaGraphLaunch"); }

private:
    template <class Body>
    void build(Body&& queueBody) {
        cudaGraphConditionalHandle again{};
        check(cudaGraphConditionalHandleCreate(&again, m_graph, 1, cudaGraphCondAssignDefault),
              "cudaGraphConditionalHandleCreate");
        cudaGraphNodeParams loop{};
        loop.type = cudaGraphNodeTypeConditional;
        loop.conditional.handle = again;
        loop.conditional.type = cudaGraphCondTypeWhile;
        loop.conditional.size = 1;
        cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
        check(cudaGraphAddNode(&node, m_graph, nullptr, nullptr, 0, &loop), "cudaGraphAddNode");
#else
        check(cudaGraphAddNode(&node, m_graph, nullptr, 0, &loop), "cudaGraphAddNode");
#endif
        cudaGraph_t body = loop.conditional.phGraph_out[0];
        const Stream recorder;
        const cudaStream_t handle = ownStream(recorder);
        check(cudaStreamBeginCaptureToGraph(handle, body, nullptr, nullptr, 0,
                                            cudaStreamCaptureModeThreadLocal),
              "cudaStreamBeginCaptureToGraph");
        try {
            queueBody(again, recorder.view());
        } catch (...) { // the capture has to end before the stream can be used again
            checkNoThrow(cudaStreamEndCapture(handle, &body));
            throw;
        }
        check(cudaStreamEndCapture(handle, &body), "cudaStreamEndCapture");
        check(cudaGraphInstantiate(&m_exec, m_graph, 0), "cudaGraphInstantiate");
    }

    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_exec = nullptr;
};

Blocks blocksOf(const NdtDeviceJob& job) {
    const unsigned number = ndtSumBlocks(job.count);
    return {number, std::bit_ceil(number)};
}

void queueSums(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, double* sums,
               StreamView stream) {
    const auto kernel = map.around == 1 ? sumBlocks<1> : map.around == 7 ? sumBlocks<7> : sumBlocks<27>;
    kernel<<<ndtSumBlocks(job.count), kSumThreads, 0, ownStream(stream)>>>(map, job, pose, sums);
    check(cudaGetLastError(), "sumBlocks");
}

} // namespace

unsigned ndtSumBlocks(std::uint64_t points) {
    const std::uint64_t rows = (points + kLanes - 1) / kLanes;
    const auto used = static_cast<unsigned>(std::clamp<std::uint64_t>(rows, 1, ndtWarps(points)));
    return (used + kMostWarps - 1) / kMostWarps;
}

void queueTotals(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, double* sums,
                 double* totals, StreamView stream) {
    queueSums(map, job, pose, sums, stream);
    joinTotals<<<1, kSumThreads, 0, ownStream(stream)>>>(sums, blocksOf(job), totals);
    check(cudaGetLastError(), "joinTotals");
}

void queueScore(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, StreamView stream) {
    auto sums =
        Buffer<double>::in(MemorySpace::device, std::size_t{ndtSumBlocks(job.count)} * kNdtTerms, stream);
    auto pose = Buffer<RigidTransform>::in(MemorySpace::device, 1, stream);
    check(
        cudaMemcpyAsync(pose.data(), &job.start, sizeof job.start, cudaMemcpyHostToDevice, ownStream(stream)),
        "cudaMemcpyAsync");
    queueTotals(run.map, job, pose.data(), sums.data(), end->totals.terms, stream);
    queueTotals(run.wide, job, pose.data(), sums.data(), end->wide.terms, stream);
    endScore<<<1, 1, 0, ownStream(stream)>>>(job.start, end);
    check(cudaGetLastError(), "endScore");
}

void runGraph(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, NdtTraceEntry* trace,
              StreamView stream) {
    const Blocks blocks = blocksOf(job);
    auto sums = Buffer<double>::in(MemorySpace::device, std::size_t{blocks.number} * kNdtTerms, stream);
    auto newton = Buffer<NdtNewtonState>::in(MemorySpace::device, 1, stream);
    // the allocations, in the order of `stream`, have to exist before the recorder's stream uses them
    stream.synchronize();
    NdtNewtonParams newtonParams = run.newtonParams;
    newtonParams.arc = job.arc;
    RepeatingGraph graph([&](cudaGraphConditionalHandle again, StreamView recorder) {
        queueSums(run.map, job, &newton.data()->candidate, sums.data(), recorder);
        updateNewton<<<1, kSumThreads, 0, ownStream(recorder)>>>(newtonParams, sums.data(), blocks,
                                                                 newton.data(), trace, again);
        check(cudaGetLastError(), "updateNewton");
    });
    startNewton<<<1, 1, 0, ownStream(stream)>>>(job.start, newton.data());
    check(cudaGetLastError(), "startNewton");
    graph.launch(stream);
    if (run.geometry)
        queueSums(run.wide, job, &newton.data()->pose, sums.data(), stream);
    finishNewton<<<1, kSumThreads, 0, ownStream(stream)>>>(sums.data(), blocks, run.geometry, newton.data(),
                                                           end);
    check(cudaGetLastError(), "finishNewton");
    stream.synchronize();
}

} // namespace scanloupe::cuda
