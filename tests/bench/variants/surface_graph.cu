// Records marching cubes as a CUDA graph, and launches it.
#include "tests/bench/variants/surface_graph.h"

#include "kernels/mesh/core/mesh_limits.h"
#include "kernels/mesh/extract/cuda_surface_space.cuh"

#include <algorithm>

namespace scanloupe::cuda {

struct SurfaceGraph::State {
    const ScalarField& field;
    StreamView stream;     // stream that memory is allocated on
    StreamView lastStream; // stream of the last launch
    SurfaceSpace space;
    TriangleMesh output;
    Buffer<SurfaceCounts> found; // pinned: the last kernel writes to it
    float iso = 0;
    bool launched = false;
    const Stream recorder;
    cudaGraphExec_t exec = nullptr;

    State(const ScalarField& f, StreamView s)
        : field(f), stream(s), lastStream(s), space(f, s),
          found(Buffer<SurfaceCounts>::in(MemorySpace::pinned, 1, s)) {}
    ~State() {
        checkNoThrow(cudaStreamSynchronize(lastStream.handle())); // its memory is freed on `stream`
        forget();
    }
    void forget() {
        if (exec)
            checkNoThrow(cudaGraphExecDestroy(exec));
        exec = nullptr;
    }

    void queue(StreamView on) {
        SurfaceWork work = space.work(field);
        writeTo(output, work);
        work.hostTotals = found.data();
        queueClassify(work, on);
        queueScanAndCompact(work, on);
        queueGenerate(work, field.brickCount(), on);
    }

    void reserve(std::uint64_t vertices, std::uint64_t triangles) {
        forget(); // it writes to memory that is freed now
        output = {};
        output = emptyMesh(std::min(vertices, kMaxVertices), triangles, stream);
        const cudaStream_t handle = ownStream(recorder);
        check(cudaStreamBeginCapture(handle, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        cudaGraph_t graph = nullptr;
        try {
            queue(recorder);
        } catch (...) { // the capture has to end before anything else can be done with the stream
            checkNoThrow(cudaStreamEndCapture(handle, &graph));
            if (graph)
                checkNoThrow(cudaGraphDestroy(graph));
            throw;
        }
        check(cudaStreamEndCapture(handle, &graph), "cudaStreamEndCapture");
        const cudaError_t made = cudaGraphInstantiate(&exec, graph, 0);
        checkNoThrow(cudaGraphDestroy(graph));
        check(made, "cudaGraphInstantiate");
        stream.synchronize(); // launches may follow on another stream
    }

    void launch(float value, StreamView on) {
        if (!launched || value != iso)
            space.setIso(value, on);
        check(cudaGraphLaunch(exec, ownStream(on)), "cudaGraphLaunch");
        iso = value;
        launched = true;
        lastStream = on;
    }
};

SurfaceGraph::SurfaceGraph(const ScalarField& field, std::uint64_t vertices, std::uint64_t triangles,
                           StreamView stream) {
    if (field.brickCount() == 0)
        throw KernelError("a graph can't extract a surface from a field without bricks",
                          "Choose a range that contains points.");
    m_state = std::make_unique<State>(field, stream);
    m_state->reserve(vertices, triangles);
}

SurfaceGraph::~SurfaceGraph() = default;

std::uint64_t SurfaceGraph::vertexCapacity() const {
    return m_state->output.vertexCount();
}
std::uint64_t SurfaceGraph::triangleCapacity() const {
    return m_state->output.triangleCount();
}

void SurfaceGraph::launch(float iso, StreamView stream) {
    requireIso(iso);
    m_state->launch(iso, stream);
}

TriangleMesh SurfaceGraph::result(StreamView stream) {
    State& state = *m_state;
    if (!state.launched)
        throw Fault("the result of a graph was asked for before its first launch");
    for (;;) {
        stream.synchronize();
        const SurfaceSums sums = state.found[0].sums;
        if (sums.vertices <= vertexCapacity() && sums.triangles <= triangleCapacity())
            break;
        requireIndexable(sums.vertices, sums.triangles);
        state.reserve(sums.vertices + sums.vertices / 4,
                      sums.triangles + sums.triangles / 4); // a slider moves it
        state.launch(state.iso, stream);
    }
    const SurfaceCounts found = state.found[0];
    TriangleMesh mesh = emptyMesh(found.sums.vertices, found.sums.triangles, stream);
    const auto copy = [&](auto& to, const auto& from) {
        detail::copyBytes(to.data(), MemorySpace::device, from.data(), MemorySpace::device, to.bytes(),
                          stream);
    };
    copy(mesh.positions, state.output.positions);
    copy(mesh.normals, state.output.normals);
    copy(mesh.indices, state.output.indices);
    mesh.activeBricks = found.sums.bricks;
    mesh.activeCells = found.sums.cells;
    mesh.zeroAreaTriangles = found.zeroArea;
    mesh.cost.bytes = mesh.bytes();
    return mesh;
}

} // namespace scanloupe::cuda
