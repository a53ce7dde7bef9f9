// Draws the first frame of a scene kernel by kernel, records the second as a CUDA graph, and replays the
// graph with other cameras by updating the kernels' arguments.
#include "kernels/raster/raster_graph.h"

#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/cuda_raster_space.cuh"
#include "kernels/raster/resolve/cuda_resolve_stages.cuh"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace scanloupe::cuda {

namespace {

std::size_t pixelsOf(const Projection& p) {
    return static_cast<std::size_t>(p.width) * static_cast<std::size_t>(p.height);
}

} // namespace

struct RasterGraph::State {
    const Projection any; // only for the size of the picture; each launch passes its own camera
    const RasterScene scene;
    const RasterSpace space;
    VisibilityBuffer visibility;
    Image image;
    StreamView lastStream;       // stream of the last launch
    bool isFirst = true;         // true until the first frame is launched
    cudaGraph_t graph = nullptr; // its nodes identify the kernels when `exec` is updated
    cudaGraphExec_t exec = nullptr;
    RasterWork last{};                  // current argument of the kernels
    std::vector<cudaGraphNode_t> nodes; // kernel nodes of the graph; the RasterWork is the only argument of
                                        // each kernel

    State(const RasterScene& s, int width, int height, Output output, const RasterTuning& tuning,
          StreamView stream)
        : any(Camera{}, width, height), scene(s),
          space(s, output == Output::image ? pixelsOf(any) : 0, tuning, stream), lastStream(stream) {
        const std::size_t count = pixelsOf(any);
        visibility = {width, height, Buffer<std::uint64_t>::in(MemorySpace::device, count, stream)};
        image = {width, height, {}};
    }
    ~State() {
        // waits, since memory is freed on another stream
        checkNoThrow(cudaStreamSynchronize(lastStream.handle()));
        if (exec)
            checkNoThrow(cudaGraphExecDestroy(exec));
        if (graph)
            checkNoThrow(cudaGraphDestroy(graph));
    }

    RasterWork work(const Projection& projection, const Shading& shading) {
        return space.work(scene, projection, shading, visibility.pixels.data(),
                          image.pixels.empty() ? nullptr : image.pixels.data());
    }

    static void queueFrame(const RasterWork& frame, StreamView stream) {
        queueDrawing(frame, stream);
        if (frame.image)
            queueResolve(frame, stream);
    }

    /// Records a frame as a graph. Cleans up if that fails.
    void record() {
        const RasterWork recorded = work(any, {});
        const Stream recorder;
        const cudaStream_t handle = ownStream(recorder);
        check(cudaStreamBeginCapture(handle, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        cudaGraph_t made = nullptr;
        try {
            queueFrame(recorded, recorder);
        } catch (...) { // the capture must end before the stream can be used again
            checkNoThrow(cudaStreamEndCapture(handle, &made));
            if (made)
                checkNoThrow(cudaGraphDestroy(made));
            throw;
        }
        check(cudaStreamEndCapture(handle, &made), "cudaStreamEndCapture");
        std::unique_ptr<CUgraph_st, void (*)(cudaGraph_t)> owner(
            made, [](cudaGraph_t one) { checkNoThrow(cudaGraphDestroy(one)); });
        std::size_t count = 0;
        check(cudaGraphGetNodes(made, nullptr, &count), "cudaGraphGetNodes");
        nodes.resize(count);
        check(cudaGraphGetNodes(made, nodes.data(), &count), "cudaGraphGetNodes");
        check(cudaGraphInstantiate(&exec, made, 0), "cudaGraphInstantiate");
        graph = owner.release();
        std::memcpy(&last, &recorded, sizeof recorded);
    }

    void launch(const Projection& projection, const Shading& shading, StreamView stream) {
        RasterWork now = work(projection, shading);
        lastStream = stream;
        if (std::exchange(isFirst, false))
            return queueFrame(now, stream);
        if (!exec)
            record();
        // a difference in padding bytes only causes a redundant update
        if (std::memcmp(&now, &last, sizeof now) != 0) {
            void* arguments[] = {&now};
            for (const cudaGraphNode_t node : nodes) {
                cudaKernelNodeParams params{};
                check(cudaGraphKernelNodeGetParams(node, &params), "cudaGraphKernelNodeGetParams");
                params.kernelParams = arguments;
                check(cudaGraphExecKernelNodeSetParams(exec, node, &params),
                      "cudaGraphExecKernelNodeSetParams");
            }
            std::memcpy(&last, &now, sizeof now);
        }
        check(cudaGraphLaunch(exec, ownStream(stream)), "cudaGraphLaunch");
    }
};

RasterGraph::RasterGraph(const RasterScene& scene, int width, int height, Output output,
                         const RasterTuning& tuning, StreamView stream)
    : m_state(std::make_unique<State>(scene, width, height, output, tuning, stream)) {
    if (output == Output::image)
        m_state->image.pixels =
            Buffer<std::uint32_t>::in(MemorySpace::device, m_state->visibility.pixels.size(), stream);
    stream.synchronize(); // synchronizes, since launches may follow on another stream
}

RasterGraph::~RasterGraph() = default;

void RasterGraph::launch(const Projection& projection, const Shading& shading, StreamView stream) {
    requireShadable(m_state->visibility, projection, shading);
    m_state->launch(projection, shading, stream);
}

const VisibilityBuffer& RasterGraph::visibility() const {
    return m_state->visibility;
}
const Image& RasterGraph::image() const {
    return m_state->image;
}

RasterStats RasterGraph::stats(StreamView stream) const {
    return m_state->space.stats(stream);
}

} // namespace scanloupe::cuda
