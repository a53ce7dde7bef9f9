// Aligns by a CUDA graph of two kernels: the sums at the candidate's pose, and the Newton update.
#include "kernels/register/ndt/cuda_ndt_blocks.cuh"
#include "kernels/register/ndt/cuda_ndt_job.cuh"
#include "tests/bench/variants/cuda_ndt_graph.h"

#include <new>

namespace scanloupe::cuda {

namespace {

__global__ void startNewton(RigidTransform start, NdtNewtonState* newton) {
    new (newton) NdtNewtonState(start);
}

/// Tells a graph that repeats itself, or the host, whether to go on.
struct GoOn {
    cudaGraphConditionalHandle handle;
    bool repeats;
    int* isDone; ///< pinned
};

/// Updates the Newton state by the totals at its candidate, with one block.
__global__ void __launch_bounds__(kSumThreads)
    updateNewton(NdtNewtonParams params, const double* sums, NdtSumBlocks blocks, NdtNewtonState* newton,
                 GoOn goOn) {
    // a copy in shared memory: faster than the global memory in which the state is kept
    __shared__ __align__(16) unsigned char raw[sizeof(RunSpace)];
    auto& space = *reinterpret_cast<RunSpace*>(raw);
    if (threadIdx.x == 0)
        new (&space.newton) NdtNewtonState(*newton);
    const double sum = joinBlocks(space.rows.blockRows, sums, blocks);
    __syncthreads();
    NdtTotals& totals = space.newton.candidateTotals();
    if (threadIdx.x < kLanes)
        totals.terms[threadIdx.x] = sum;
    __syncthreads();
    updateNewtonState(params, space, totals, nullptr);
    if (threadIdx.x != 0)
        return;
    *newton = space.newton;
    *goOn.isDone = space.newton.done ? 1 : 0;
    if (goOn.repeats)
        cudaGraphSetConditional(goOn.handle, space.newton.done ? 0 : 1);
}

/// A graph of what `queueBody` queues on a stream; or one that repeats that, by a conditional node, as long
/// as the handle is set. The memcheck of compute-sanitizer 2025.3 ends in such a node with a misaligned
/// address, without naming an access; the same kernels pass it when the host repeats them.
class IterationGraph {
public:
    template <class Body>
    IterationGraph(bool repeats, Body&& queueBody) {
        check(cudaGraphCreate(&m_graph, 0), "cudaGraphCreate");
        try {
            cudaGraphConditionalHandle again{};
            cudaGraph_t body = repeats ? addLoop(again) : m_graph;
            record(body, again, queueBody);
            check(cudaGraphInstantiate(&m_exec, m_graph, 0), "cudaGraphInstantiate");
        } catch (...) { // a constructor that throws runs no destructor
            checkNoThrow(cudaGraphDestroy(m_graph));
            throw;
        }
    }
    ~IterationGraph() {
        checkNoThrow(cudaGraphExecDestroy(m_exec));
        checkNoThrow(cudaGraphDestroy(m_graph));
    }
    IterationGraph(const IterationGraph&) = delete;
    IterationGraph& operator=(const IterationGraph&) = delete;

    void launch(StreamView stream) { check(cudaGraphLaunch(m_exec, ownStream(stream)), "cudaGraphLaunch"); }

private:
    /// Adds a node that repeats a graph. @returns that graph
    cudaGraph_t addLoop(cudaGraphConditionalHandle& again) {
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
        return loop.conditional.phGraph_out[0];
    }
    template <class Body>
    static void record(cudaGraph_t graph, cudaGraphConditionalHandle again, Body&& queueBody) {
        const Stream recorder;
        const cudaStream_t handle = ownStream(recorder);
        check(cudaStreamBeginCaptureToGraph(handle, graph, nullptr, nullptr, 0,
                                            cudaStreamCaptureModeThreadLocal),
              "cudaStreamBeginCaptureToGraph");
        try {
            queueBody(again, recorder.view());
        } catch (...) { // the capture has to end before the stream can be used again
            checkNoThrow(cudaStreamEndCapture(handle, &graph));
            throw;
        }
        check(cudaStreamEndCapture(handle, &graph), "cudaStreamEndCapture");
    }

    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_exec = nullptr;
};

} // namespace

NdtVariantResult alignByGraph(bool repeats, const NdtRun& run, const NdtDeviceJob& job, StreamView stream) {
    const NdtSumBlocks blocks = ndtSumBlocks(job.count);
    auto sums = Buffer<double>::in(MemorySpace::device, std::size_t{blocks.number} * kNdtTerms, stream);
    auto newton = Buffer<NdtNewtonState>::in(MemorySpace::device, 1, stream);
    auto isDone = Buffer<int>::in(MemorySpace::pinned, 1, stream);
    stream.synchronize(); // the allocations, in the order of `stream`, have to exist before others use them
    NdtNewtonParams params = run.newtonParams;
    params.arc = job.arc;
    IterationGraph graph(repeats, [&](cudaGraphConditionalHandle again, StreamView recorder) {
        queueSums(run.map, job, &newton.data()->candidate, sums.data(), recorder);
        updateNewton<<<1, kSumThreads, 0, ownStream(recorder)>>>(params, sums.data(), blocks, newton.data(),
                                                                 GoOn{again, repeats, isDone.data()});
        check(cudaGetLastError(), "updateNewton");
    });
    const auto align = [&] {
        startNewton<<<1, 1, 0, ownStream(stream)>>>(job.start, newton.data());
        check(cudaGetLastError(), "startNewton");
        do {
            graph.launch(stream);
            stream.synchronize();
        } while (isDone[0] == 0);
    };
    align(); // the first launch loads the graph to the device
    EventTimer timer(stream);
    align();
    timer.stop();
    const auto found = newton.copyTo(MemorySpace::host, stream);
    return {found[0].pose, found[0].poseTotals().score(), found[0].iterations, timer.elapsedMs(), 0};
}

} // namespace scanloupe::cuda
