// The operator's stages over other pixels, or in one kernel.
#include "tests/bench/raster_methods.h"

#include "kernels/raster/cuda_points.cuh"
#include "kernels/raster/cuda_raster_space.cuh"
#include "kernels/raster/cuda_resolve.cuh"
#include "kernels/raster/cuda_tiles.cuh"
#include "kernels/raster/cuda_triangle_binning.cuh"
#include "kernels/raster/cuda_voxels.cuh"

#include <algorithm>
#include <cooperative_groups.h>

namespace scanloupe::bench {

namespace {

using namespace cuda;

/// Looks at a pixel before it draws.
class TestedPixels : public LinearPixels {
public:
    using LinearPixels::LinearPixels;
    __device__ void draw(int x, int y, std::uint64_t value) const {
        if (__ldcg(at(x, y)) < value)
            LinearPixels::draw(x, y, value);
    }
};

/// Never knows what a pixel has.
class UntestedPixels : public LinearPixels {
public:
    using LinearPixels::LinearPixels;
    __device__ std::uint32_t keyAt(int, int) const { return 0; }
};

/// Tiles of 8 x 8 pixels, one after another.
class TiledPixels {
public:
    __device__ explicit TiledPixels(const RasterWork& work)
        : m_pixels(work.pixels), m_across(static_cast<std::uint32_t>(work.view().width + 7) / 8) {}
    __device__ Pixel* at(int x, int y) const {
        const auto ux = static_cast<std::uint32_t>(x), uy = static_cast<std::uint32_t>(y);
        return m_pixels + ((uy / 8 * m_across + ux / 8) * 64 + uy % 8 * 8 + ux % 8);
    }
    __device__ void draw(int x, int y, std::uint64_t value) const { atomicMax(at(x, y), Pixel{value}); }
    __device__ std::uint32_t keyAt(int x, int y) const {
        return __ldcg(reinterpret_cast<const std::uint32_t*>(at(x, y)) + 1);
    }

private:
    Pixel* m_pixels;
    std::uint32_t m_across;
};

union StageShared {
    BinningShared binning;
    TriangleSlots triangles[kWarps];
    TileShared tiles;
    SmallBoxes boxes[kWarps];
    std::uint32_t lists[kWarps][WarpList::roomFor(kPointsAThread)];
};

enum class Stage : std::uint8_t { project, binning, others, queued, voxels, waitingVoxels, points };

template <class Pixels, Stage stage, bool Orthographic>
__device__ void runStage(const RasterWork& work, StageShared& shared) {
    using Box = std::conditional_t<Orthographic, OrthographicBox, PerspectiveBox>;
    const unsigned warp = threadIdx.x / 32;
    if constexpr (stage == Stage::project) {
        projectVertices(work);
    } else if constexpr (stage == Stage::binning) {
        binTriangles<Pixels>(work, shared.binning);
    } else if constexpr (stage == Stage::others) {
        drawOthers<Pixels>(work, shared.triangles[warp]);
    } else if constexpr (stage == Stage::queued) {
        drawMediums<Pixels>(work);
        drawTiles<Pixels>(work, shared.tiles);
    } else if constexpr (stage == Stage::voxels) {
        drawVoxels<Box, Pixels>(work, shared.boxes[warp]);
    } else if constexpr (stage == Stage::waitingVoxels) {
        drawWaitingVoxels<Box, Pixels>(work);
    } else {
        drawSinglePixels<Orthographic, Pixels>(work, shared.lists[warp]);
    }
}
template <class Pixels, Stage stage>
__device__ void runStage(const RasterWork& work, StageShared& shared) {
    if (work.view().orthographic)
        runStage<Pixels, stage, true>(work, shared);
    else
        runStage<Pixels, stage, false>(work, shared);
}

/// Blocks of a stage that a multiprocessor has to hold: as the operator has them, or 3, which the shared
/// kernel of a frame has.
constexpr unsigned blocksOf(Stage stage) {
    switch (stage) {
    case Stage::project:
    case Stage::binning:
        return 5;
    case Stage::others:
    case Stage::points:
        return 4;
    case Stage::queued:
    case Stage::voxels:
    case Stage::waitingVoxels:
        break;
    }
    return 3;
}

template <class Pixels, Stage stage>
__global__ void __launch_bounds__(kBlockSize, blocksOf(stage))
    stageKernel(const __grid_constant__ RasterWork work) {
    extern __shared__ __align__(16) unsigned char bytes[];
    letNextStart();
    waitForEarlierWork();
    runStage<Pixels, stage>(work, *reinterpret_cast<StageShared*>(bytes));
}

__global__ void clearRoom(const __grid_constant__ RasterWork work, std::size_t count) {
    letNextStart();
    clearPixels(work, count);
}

__global__ void __launch_bounds__(kBlockSize, 3) wholeFrame(const __grid_constant__ RasterWork work) {
    extern __shared__ __align__(16) unsigned char bytes[];
    auto& shared = *reinterpret_cast<StageShared*>(bytes);
    const auto grid = cooperative_groups::this_grid();
    clearPicture(work);
    if (work.scene.triangles != 0)
        runStage<LinearPixels, Stage::project>(work, shared); // touches nothing that is cleared
    grid.sync();
    if (work.scene.triangles != 0) {
        runStage<LinearPixels, Stage::binning>(work, shared);
        grid.sync();
        runStage<LinearPixels, Stage::others>(work, shared);
        grid.sync();
        runStage<LinearPixels, Stage::queued>(work, shared);
    }
    if (work.scene.voxels != 0) {
        __syncthreads(); // what is shared changes its shape
        runStage<LinearPixels, Stage::voxels>(work, shared);
        grid.sync();
        runStage<LinearPixels, Stage::waitingVoxels>(work, shared);
    }
    if (work.scene.points != 0) {
        __syncthreads();
        runStage<LinearPixels, Stage::points>(work, shared);
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

template <class Pixels, Stage stage>
void queueStage(const RasterWork& work, std::size_t items, StreamView stream) {
    void (*const kernel)(RasterWork) = stageKernel<Pixels, stage>;
    const std::size_t most = residentWithShared(reinterpret_cast<const void*>(kernel));
    launchBlocksEarly("stageKernel", std::min(most, (items + kBlockSize - 1) / kBlockSize), kBlockSize,
                      sizeof(StageShared), stream, kernel, work);
}

template <class Pixels>
void queueStages(const RasterWork& work, std::size_t room, StreamView stream) {
    constexpr std::size_t all = std::size_t{1} << 31;
    launch("clearRoom", (room + kClearedAtOnce - 1) / kClearedAtOnce, stream, clearRoom, work, room);
    if (work.scene.triangles != 0) {
        queueStage<Pixels, Stage::project>(work, (std::size_t{work.vertices} + 1) / 2, stream);
        queueStage<Pixels, Stage::binning>(work, (std::size_t{work.scene.triangles} + 1) / 2, stream);
        queueStage<Pixels, Stage::others>(work, work.scene.triangles, stream);
        queueStage<Pixels, Stage::queued>(work, all, stream);
    }
    if (work.scene.voxels != 0) {
        queueStage<Pixels, Stage::voxels>(work, work.scene.voxels, stream);
        queueStage<Pixels, Stage::waitingVoxels>(work, all, stream);
    }
    if (work.scene.points != 0)
        queueStage<Pixels, Stage::points>(work, (work.scene.points + kPointsAThread - 1) / kPointsAThread,
                                          stream);
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

/// The stages are those of many triangles.
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
        const auto whole = [](int size) { return (static_cast<std::size_t>(size) + 7) / 8 * 8; };
        pixels = Buffer<std::uint64_t>::in(MemorySpace::device, whole(width) * whole(height), stream);
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
        case RasterWay::test:
            return queueStages<TestedPixels>(work, pixels.size(), stream);
        case RasterWay::noTest:
            return queueStages<UntestedPixels>(work, pixels.size(), stream);
        case RasterWay::tiled:
            return queueStages<TiledPixels>(work, pixels.size(), stream);
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
    const auto copy = state.pixels.copyTo(MemorySpace::host, stream);
    const auto width = static_cast<std::size_t>(state.width), height = static_cast<std::size_t>(state.height);
    VisibilityBuffer seen{state.width, state.height, Buffer<std::uint64_t>::host(width * height)};
    const std::size_t across = (width + 7) / 8;
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t from = state.way == RasterWay::tiled
                                         ? (y / 8 * across + x / 8) * 64 + y % 8 * 8 + x % 8
                                         : y * width + x;
            seen.pixels[y * width + x] = copy[from];
        }
    return seen;
}

} // namespace scanloupe::bench
