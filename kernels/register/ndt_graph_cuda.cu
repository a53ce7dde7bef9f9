// Totals by as many blocks as a scan is worth, and alignments of them: a graph whose body is repeated until a
// kernel says that it is done.
#include "kernels/core/cuda_check.h"
#include "kernels/register/cuda_ndt_run.cuh"

#include <new>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kSumThreads = 256;
constexpr unsigned kSumWarps = kSumThreads / kLanes;

struct ShuffleReduce {
    __device__ double operator()(const float (&terms)[kNdtTerms]) const { return sumOverLanes(terms); }
};

__global__ void __launch_bounds__(kSumThreads)
    sumBlocks(NdtTableView map, NdtDeviceJob job, const RigidTransform* pose, double* sums) {
    __shared__ BlockSums space;
    double* mine = sums + std::size_t{blockIdx.x} * kNdtTerms;
    const RigidTransform at = *pose;
    sumOfBlock(map, GlobalFetch{}, job, at, blockIdx.x, gridDim.x, space, ShuffleReduce{},
               [mine](unsigned term, double sum) { mine[term] = sum; });
}

__device__ double joinBlocks(const double* sums, unsigned blocks) {
    TreeSum sum;
    for (unsigned b = 0; b < blocks; ++b)
        sum.add(sums[b * kNdtTerms + threadIdx.x]);
    return sum.sum();
}

__global__ void joinTotals(const double* sums, unsigned blocks, double* totals) {
    totals[threadIdx.x] = joinBlocks(sums, blocks);
}

/// What a graph's kernels hand on.
struct GraphState {
    NdtClimb climb;
    NdtTotals totals;
};

__global__ void beginClimb(RigidTransform start, GraphState* state) {
    new (&state->climb) NdtClimb(start);
}

/// Takes the candidate's totals. By one warp.
__global__ void advance(NdtClimbRules rules, const double* sums, unsigned blocks, GraphState* state,
                        NdtTraceEntry* trace, cudaGraphConditionalHandle again) {
    state->totals.terms[threadIdx.x] = joinBlocks(sums, blocks);
    __syncwarp();
    if (threadIdx.x != 0)
        return;
    NdtTraceEntry entry;
    if (state->climb.take(state->totals, rules, entry) && trace)
        trace[state->climb.iterations - 1] = entry;
    cudaGraphSetConditional(again, state->climb.done ? 0 : 1);
}

__global__ void endClimb(const double* sums, unsigned blocks, bool geometry, const GraphState* state,
                         NdtDeviceEnd* end) {
    const double wide = geometry ? joinBlocks(sums, blocks) : 0;
    end->wide.terms[threadIdx.x] = wide;
    if (threadIdx.x != 0)
        return;
    end->pose = state->climb.pose;
    end->totals = state->climb.here;
    end->iterations = state->climb.iterations;
    end->end = state->climb.end;
}

/// A graph whose only node repeats what `queueBody` queues on a stream, as long as it sets the handle.
class RepeatingGraph {
public:
    template <class Body>
    explicit RepeatingGraph(Body&& queueBody) {
        check(cudaGraphCreate(&m_graph, 0), "cudaGraphCreate");
        try {
            build(queueBody);
        } catch (...) { // no destructor runs after this
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
        } catch (...) { // the capture has to end before anything else can be done with the stream
            checkNoThrow(cudaStreamEndCapture(handle, &body));
            throw;
        }
        check(cudaStreamEndCapture(handle, &body), "cudaStreamEndCapture");
        check(cudaGraphInstantiate(&m_exec, m_graph, 0), "cudaGraphInstantiate");
    }

    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_exec = nullptr;
};

void queueSums(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, double* sums,
               StreamView stream) {
    sumBlocks<<<ndtSumBlocks(job.count), kSumThreads, 0, ownStream(stream)>>>(map, job, pose, sums);
    check(cudaGetLastError(), "sumBlocks");
}

} // namespace

unsigned ndtSumBlocks(std::uint64_t points) {
    return ndtWarps(points) / kSumWarps;
}

void queueTotals(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, double* sums,
                 double* totals, StreamView stream) {
    queueSums(map, job, pose, sums, stream);
    joinTotals<<<1, kNdtTerms, 0, ownStream(stream)>>>(sums, ndtSumBlocks(job.count), totals);
    check(cudaGetLastError(), "joinTotals");
}

void runGraph(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, NdtTraceEntry* trace,
              StreamView stream) {
    const unsigned blocks = ndtSumBlocks(job.count);
    auto sums = Buffer<double>::in(MemorySpace::device, std::size_t{blocks} * kNdtTerms, stream);
    auto state = Buffer<GraphState>::in(MemorySpace::device, 1, stream);
    stream.synchronize(); // memory that is taken in the stream's order has to be there for the recorder's
    NdtClimbRules rules = run.rules;
    rules.radius = job.radius;
    RepeatingGraph graph([&](cudaGraphConditionalHandle again, StreamView recorder) {
        queueSums(run.map, job, &state.data()->climb.candidate, sums.data(), recorder);
        advance<<<1, kNdtTerms, 0, ownStream(recorder)>>>(rules, sums.data(), blocks, state.data(), trace,
                                                          again);
        check(cudaGetLastError(), "advance");
    });
    beginClimb<<<1, 1, 0, ownStream(stream)>>>(job.start, state.data());
    check(cudaGetLastError(), "beginClimb");
    graph.launch(stream);
    if (run.geometry)
        queueSums(run.wide, job, &state.data()->climb.pose, sums.data(), stream);
    endClimb<<<1, kNdtTerms, 0, ownStream(stream)>>>(sums.data(), blocks, run.geometry, state.data(), end);
    check(cudaGetLastError(), "endClimb");
    stream.synchronize();
}

} // namespace scanloupe::cuda
