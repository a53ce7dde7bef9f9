// Variants of the operator: all stages in one kernel, and its kernels without a graph.
#include "tests/bench/raster_methods.h"

#include "kernels/raster/core/cuda_clear.cuh"
#include "kernels/raster/cuda_raster_space.cuh"
#include "kernels/raster/points/cuda_points.cuh"
#include "kernels/raster/triangles/cuda_tiles.cuh"
#include "kernels/raster/triangles/cuda_triangle_binning.cuh"
#include "kernels/raster/voxels/cuda_voxels.cuh"

#include <algorithm>
#include <cooperative_groups.h>

namespace scanloupe::bench {

namespace {

using namespace cuda;

union StageShared {
    BinningShared binning;
    TriangleSlots triangles[kWarps];
    TileShared tiles;
    SmallBoxes boxes[kWarps];
    std::uint32_t lists[kWarps][WarpList::capacityFor(kPointsAThread)];
};

enum class Stage : std::uint8_t { project, binning, multiPixel, queued, voxels, waitingVoxels, points };

template <Stage stage, bool Orthographic>
__device__ void runStage(const RasterWork& work, StageShared& shared) {
    using Box = std::conditional_t<Orthographic, OrthographicBox, PerspectiveBox>;
    const unsigned warp = threadIdx.x / 32;
    if constexpr (stage == Stage::project) {
        projectVertices(work);
    } else if constexpr (stage == Stage::binning) {
        binTriangles(work, shared.binning);
    } else if constexpr (stage == Stage::multiPixel) {
        drawMultiPixel(work, shared.triangles[warp]);
    } else if constexpr (stage == Stage::queued) {
        drawMediums(work);
        drawTiles(work, shared.tiles);
    } else if constexpr (stage == Stage::voxels) {
        drawVoxels<Box>(work, shared.boxes[warp]);
    } else if constexpr (stage == Stage::waitingVoxels) {
        drawWaitingVoxels<Box>(work);
    } else {
        drawSinglePixels<Orthographic>(work, shared.lists[warp]);
    }
}
template <Stage stage>
__device__ void runStage(const RasterWork& work, StageShared& shared) {
    if (work.view().orthographic)
        runStage<stage, true>(work, shared);
    else
        runStage<stage, false>(work, shared);
}

__global__ void __launch_bounds__(kBlockSize, 3) wholeFrame(const __grid_constant__ RasterWork work) {
    extern __shared__ __align__(16) unsigned char bytes[];
    auto& shared = *reinterpret_cast<StageShared*>(bytes);
    const auto grid = cooperative_groups::this_grid();
    clearPicture(work);
    if (work.scene.triangles != 0)
        runStage<Stage::project>(work, shared); // this stage does not access anything that is being cleared
    grid.sync();
    if (work.scene.triangles != 0) {
        runStage<Stage::binning>(work, shared);
        grid.sync();
        runStage<Stage::multiPixel>(work, shared);
        grid.sync();
        runStage<Stage::queued>(work, shared);
    }
    if (work.scene.voxels != 0) {
        __syncthreads(); // the next stage uses another layout of shared memory
        runStage<Stage::voxels>(work, shared);
        grid.sync();
        runStage<Stage::waitingVoxels>(work, shared);
    }
    if (work.scene.points != 0) {
        __syncthreads();
        runStage<Stage::points>(work, shared);
    }
}

std::size_t residentWithShared(const void* kernel) {
    int device = 0, multiprocessors = 0, blocks = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(kBlockSize),
                                                        sizeof(StageShared)),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<std::size_t>(multiprocessors) * static_cast<std::size_t>(blocks);
}

void queueCooperative(const RasterWork& work, StreamView stream) {
    const auto* const kernel = reinterpret_cast<const void*>(wholeFrame);
    static const std::size_t blocks = residentWithShared(kernel);
    RasterWork argument = work;
    void* arguments[] = {&argument};
    check(cudaLaunchCooperativeKernel(kernel, dim3(static_cast<unsigned>(blocks)), dim3(kBlockSize),
                                      arguments, sizeof(StageShared), ownStream(stream)),
          "cudaLaunchCooperativeKernel");
}

/// Settings that select the stages for meshes of many triangles.
RasterTuning tuningOf(RasterWay way, RasterTuning tuning) {
    if (way != RasterWay::stream)
        tuning.smallMeshTriangles = 0;
    return tuning;
}

} // namespace

struct RasterVariant::State {
    RasterWay way;
    int width, height;
    RasterSpace space;
    Buffer<std::uint64_t> pixels;
    RasterWork work;
    cudaGraphExec_t exec = nullptr;

    State(RasterWay w, const RasterScene& scene, const Projection& p, const RasterTuning& tuning,
          StreamView stream)
        : way(w), width(p.width), height(p.height), space(scene, 0, tuningOf(way, tuning), stream) {
        const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
        pixels = Buffer<std::uint64_t>::in(MemorySpace::device, count, stream);
        work = space.work(scene, p, {}, pixels.data(), nullptr);
    }
    ~State() {
        if (exec)
            checkNoThrow(cudaGraphExecDestroy(exec));
    }
    void queue(StreamView stream) {
        switch (way) {
        case RasterWay::stream:
            return queueDrawing(work, stream);
        case RasterWay::cooperative:
            return queueCooperative(work, stream);
        }
    }
    void record() {
        const Stream recorder;
        check(cudaStreamBeginCapture(ownStream(recorder), cudaStreamCaptureModeThreadLocal),
              "cudaStreamBeginCapture");
        queue(recorder);
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(ownStream(recorder), &graph), "cudaStreamEndCapture");
        const cudaError_t made = cudaGraphInstantiate(&exec, graph, 0);
        checkNoThrow(cudaGraphDestroy(graph));
        check(made, "cudaGraphInstantiate");
    }
};

RasterVariant::RasterVariant(RasterWay way, const RasterScene& scene, const Projection& projection,
                             const RasterTuning& tuning, StreamView stream)
    : m_state(std::make_unique<State>(way, scene, projection, tuning, stream)) {
    if (way != RasterWay::stream)
        m_state->record();
    stream.synchronize();
}

RasterVariant::~RasterVariant() = default;

void RasterVariant::run(StreamView stream) {
    if (m_state->exec)
        check(cudaGraphLaunch(m_state->exec, ownStream(stream)), "cudaGraphLaunch");
    else
        m_state->queue(stream);
}

VisibilityBuffer RasterVariant::seen(StreamView stream) const {
    const State& state = *m_state;
    return {state.width, state.height, state.pixels.copyTo(MemorySpace::host, stream)};
}

} // namespace scanloupe::bench
