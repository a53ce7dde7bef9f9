// Records the voxelization of a frame as a CUDA graph, and grows its workspace when a frame needs more.
#include "tests/bench/variants/voxelize_graph.h"

#include "tests/bench/variants/cuda_frame.cuh"

#include <stop_token>

namespace scanloupe::cuda {

namespace {

/// A buffer that receives frames, and the graph that reads it.
struct Input {
    std::vector<FeatureView> features; // copied, since the caller's span may not outlive the constructor
    const Vec3f* positions;
    std::size_t maxPoints;    // of a frame
    std::size_t recorded = 0; // points of the recorded frame
    cudaGraphExec_t exec = nullptr;

    explicit Input(const PointsView& in)
        : features(in.features.begin(), in.features.end()), positions(in.positions), maxPoints(in.count) {}
    PointsView frame(std::size_t count) const { return {positions, count, features}; }
    Input(const Input&) = delete;
    Input& operator=(const Input&) = delete;
    ~Input() { destroyGraph(); }
    void destroyGraph() {
        if (exec)
            checkNoThrow(cudaGraphExecDestroy(exec));
        exec = nullptr;
    }
};

/// Free device memory, bytes.
std::size_t freeMemory() {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all), "cudaMemGetInfo");
    return free;
}

} // namespace

struct VoxelizeGraph::State {
    std::vector<std::unique_ptr<Input>> inputs;
    VoxelizeParams params;
    std::stop_token never;
    GridShape shape;
    StreamView stream;
    StrategyChoice strategy;

    // allocated for `capacity` voxels
    std::size_t capacity = 0, requestedCapacity = 0;
    VoxelGrid workspace;
    Buffer<std::uint64_t> featureSums; // [further features, capacity]
    // allocated for a layout, and for `capacity` voxels unless there are sums for all cells
    bool allCells = false;
    SumLayout layout = SumLayout::narrow;
    Buffer<Count> words;
    // allocated once
    Buffer<std::uint32_t> bits, tileSums, pointVoxel;
    Buffer<RankWord> ranks;
    Buffer<Counts> counts;

    const Stream recorder;
    std::size_t last = 0;  // the input of the last frame
    bool stale = false;    // the last frame has to be run again
    StreamView lastStream; // stream of the last launch

    State(const std::vector<PointsView>& buffers, const VoxelizeParams& p, StreamView s)
        : params(p), shape(gridShape(p)), stream(s), lastStream(s) {
        for (const PointsView& buffer : buffers)
            inputs.push_back(std::make_unique<Input>(buffer));
    }

    Job job(const PointsView& frame) const {
        return {frame, params, {shape, params.rangeMax}, checkPoints(frame), never, stream};
    }
    ~State() { checkNoThrow(cudaStreamSynchronize(lastStream.handle())); } // its memory is freed on `stream`
    std::size_t features() const { return inputs[0]->features.size(); }
    std::size_t limit() const {
        return params.maxVoxels == 0 ? capacity : std::min<std::size_t>(capacity, params.maxVoxels);
    }
    bool moreFeatures() const { return features() > kFusedFeatures; }

    void allocateFixed() {
        std::size_t most = 0;
        for (const auto& input : inputs)
            most = std::max(most, input->maxPoints);
        const PointsView frame = inputs[0]->frame(0);
        const Job j = job(frame);
        const std::size_t size = bitmapWords(shape);
        bits = j.zeros<std::uint32_t>(size);
        ranks = j.buffer<RankWord>(size);
        tileSums = j.zeros<std::uint32_t>(tiles(size));
        counts = j.zeros<Counts>(2);
        layout = firstLayout(j);
        // with maxVoxels, the points of dropped voxels are counted, which needs their ranks before the sums
        allCells = params.maxVoxels == 0 && size * 32 * 64 <= freeMemory() / 4;
        pointVoxel = j.buffer<std::uint32_t>(params.pointVoxels || moreFeatures() ? most : 0);
    }

    void reserve(std::size_t voxels) {
        for (const auto& input : inputs)
            input->destroyGraph(); // their graphs write to memory that is freed next
        capacity = 0;
        requestedCapacity = voxels;
        workspace = {};
        featureSums = {};
        const PointsView frame = inputs[0]->frame(0);
        const Job j = job(frame);
        if (params.maxVoxels > 0)
            voxels = std::min<std::size_t>(voxels, params.maxVoxels);
        voxels = std::max<std::size_t>(voxels, 1);
        allocateVoxels(workspace, voxels, j.channels(), MemorySpace::device, stream);
        featureSums = j.zeros<std::uint64_t>(moreFeatures() ? (features() - kFusedFeatures) * voxels : 0);
        if (!allCells || words.empty())
            makeSums(layout, voxels);
        stream.synchronize(); // launches may follow on another stream
        capacity = voxels;
    }

    /// Allocates the sums of `voxels` voxels, or of all cells.
    void makeSums(SumLayout wanted, std::size_t voxels) {
        for (const auto& input : inputs)
            input->destroyGraph();
        words = {};
        const PointsView frame = inputs[0]->frame(0);
        const Job j = job(frame);
        words = j.zeros<Count>((allCells ? bits.size() * 32 : voxels) * wordsOf(wanted));
        layout = wanted;
        stream.synchronize();
    }

    /// Queues the kernels of a frame of `count` points.
    void queue(Input& input, std::size_t count, StreamView on) {
        const PointsView frame = input.frame(count);
        const Job j = job(frame);
        const PointsIn in = pointsIn(j);
        const FrameArgs args{in,
                             DeviceCells(j.cells),
                             {bits.data(), tileSums.data()},
                             ranks.data(),
                             bits.size(),
                             sumsOf(j, layout, words),
                             outputOf(j, workspace),
                             static_cast<std::uint32_t>(limit()),
                             pointVoxel.empty() ? nullptr : pointVoxel.data(),
                             counts.data()};
        if (allCells)
            voxelizeByCells(args, on);
        else
            voxelizeByRanks(args, on);
        for (std::size_t f = kFusedFeatures; f < features(); ++f) {
            std::uint64_t* featureSum = featureSums.data() + (f - kFusedFeatures) * capacity;
            addFeature(input.features[f], j.scales[f], count, pointVoxel.data(), featureSum, counts.data(),
                       on);
            finishFeature(j.scales[f], featureSum, limit(), args.out.counts, args.out.means.column(3 + f),
                          counts.data(), on);
        }
    }

    void record(Input& input, std::size_t count) {
        const cudaStream_t handle = ownStream(recorder);
        check(cudaStreamBeginCapture(handle, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
        cudaGraph_t graph = nullptr;
        try {
            queue(input, count, recorder);
        } catch (...) { // the capture has to end before the stream can be used again
            checkNoThrow(cudaStreamEndCapture(handle, &graph));
            if (graph)
                checkNoThrow(cudaGraphDestroy(graph));
            throw;
        }
        check(cudaStreamEndCapture(handle, &graph), "cudaStreamEndCapture");
        cudaGraphExecUpdateResultInfo info{};
        if (input.exec && cudaGraphExecUpdate(input.exec, graph, &info) != cudaSuccess) {
            checkNoThrow(cudaGetLastError());
            input.destroyGraph();
        }
        const cudaError_t made = input.exec ? cudaSuccess : cudaGraphInstantiate(&input.exec, graph, 0);
        checkNoThrow(cudaGraphDestroy(graph));
        check(made, "cudaGraphInstantiate");
        input.recorded = count;
    }
};

VoxelizeGraph::VoxelizeGraph(const std::vector<PointsView>& buffers, const VoxelizeParams& params,
                             std::size_t capacity, StreamView stream)
    : m_state(std::make_unique<State>(buffers, params, stream)) {
    State& state = *m_state;
    state.strategy = chooseStrategy(params, state.shape.cellCount());
    if (state.strategy.strategy != VoxelizeStrategy::bitmapRank)
        throw KernelError(std::string("a graph can't voxelize by the strategy ") +
                              name(state.strategy.strategy) + " (" + state.strategy.why + ")",
                          "Take a larger voxel size or a smaller range, and no limit of points a voxel.");
    if (buffers.empty())
        throw Fault("a graph was asked for without a buffer for its frames");
    for (const PointsView& buffer : buffers) {
        static_cast<void>(checkPoints(buffer));
        if (buffer.features.size() != buffers[0].features.size())
            throw Fault("the buffers of a graph's frames have different features");
    }
    state.allocateFixed();
    state.reserve(capacity);
}

VoxelizeGraph::~VoxelizeGraph() = default;

std::size_t VoxelizeGraph::capacity() const {
    return m_state->capacity;
}

void VoxelizeGraph::launch(std::size_t buffer, std::size_t count, StreamView stream) {
    State& state = *m_state;
    Input& input = *state.inputs.at(buffer);
    if (count > input.maxPoints)
        throw Fault("a frame has more points than its buffer");
    if (state.capacity == 0)
        state.reserve(state.requestedCapacity); // an earlier attempt to grow has failed
    if (state.words.empty())
        state.makeSums(state.layout, state.capacity);
    if (!input.exec || input.recorded != count)
        state.record(input, count);
    check(cudaGraphLaunch(input.exec, ownStream(stream)), "cudaGraphLaunch");
    state.stale = false;
    state.last = buffer;
    state.lastStream = stream;
}

VoxelGrid VoxelizeGraph::result(StreamView stream) {
    State& state = *m_state;
    const Input& last = *state.inputs[state.last];
    Counts found{};
    for (;;) {
        detail::copyBytes(&found, MemorySpace::host, state.counts.data(), MemorySpace::device, sizeof found,
                          stream);
        stream.synchronize();
        const bool tooMany = found.voxels > state.capacity &&
                             (state.params.maxVoxels == 0 || state.capacity < state.params.maxVoxels);
        const PointsView frame = last.frame(last.recorded);
        const Job job = state.job(frame);
        const bool overflowed = (state.allCells || !tooMany) && hasOverflowed(state.layout, job, found);
        if (!tooMany && !overflowed && !state.stale)
            break;
        state.stale = true; // until it has run again, even if something before that throws
        if (tooMany)
            state.reserve(found.voxels + found.voxels / 4); // headroom, since frames differ a little
        if (overflowed)
            state.makeSums(SumLayout::wide, state.capacity);
        launch(state.last, last.recorded, stream);
    }
    const PointsView frame = last.frame(last.recorded);
    const Job job = state.job(frame);
    const std::size_t kept = std::min<std::size_t>(found.voxels, state.limit());
    VoxelGrid grid;
    grid.shape = state.shape;
    grid.featureCount = state.features();
    grid.strategy = state.strategy;
    allocateVoxels(grid, kept, job.channels(), MemorySpace::device, stream);
    const auto copy = [&](auto* to, const auto* from, std::size_t count) {
        detail::copyBytes(to, MemorySpace::device, from, MemorySpace::device, count * sizeof *to, stream);
    };
    copy(grid.keys.data(), state.workspace.keys.data(), kept);
    copy(grid.counts.data(), state.workspace.counts.data(), kept);
    for (std::size_t c = 0; c < job.channels(); ++c)
        copy(grid.means.data() + c * kept, state.workspace.means.data() + c * state.capacity, kept);
    grid.pointVoxel =
        Buffer<std::uint32_t>::in(MemorySpace::device, state.params.pointVoxels ? last.recorded : 0, stream);
    copy(grid.pointVoxel.data(), state.pointVoxel.data(), grid.pointVoxel.size());
    fillStats(job, found, kept, grid);
    grid.cost.bytes = grid.bytes();
    return grid;
}

} // namespace scanloupe::cuda
