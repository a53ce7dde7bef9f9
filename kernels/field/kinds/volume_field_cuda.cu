// Copies a raw volume into the bricks of a dense field on the device, several layers of bricks at a time to
// limit the additional memory.
#include "kernels/field/core/cuda_gather.cuh"
#include "kernels/field/kinds/cuda_field_kinds.cuh"

namespace scanloupe::cuda {

namespace {

constexpr std::size_t kBatchBytes = std::size_t{64} << 20;

/// Consecutive layers of a volume's samples.
struct Layers {
    const float* values; ///< [layers, dims.y, dims.x] samples
    Vec3i dims;          ///< dimensions of the whole volume
    int first;           ///< index of the first layer in the volume

    /// Returns the value at a node; nodes beyond the last sample of an axis repeat that sample.
    __device__ float at(Vec3i node) const {
        const auto x = static_cast<std::size_t>(std::min(node.x, dims.x - 1)),
                   y = static_cast<std::size_t>(std::min(node.y, dims.y - 1)),
                   z = static_cast<std::size_t>(std::min(node.z, dims.z - 1) - first);
        return values[(z * static_cast<std::size_t>(dims.y) + y) * static_cast<std::size_t>(dims.x) + x];
    }
};

__global__ void __launch_bounds__(kGatherThreads)
    fillVolume(Layers layers, Vec3i latticeDims, Vec3i brickDims, std::uint64_t firstBrick,
               std::uint64_t* keys, float* values, std::uint64_t* cellMask, FieldCounters* counters) {
    const std::uint64_t brick = firstBrick + blockIdx.x;
    const Vec3i first = brickOf(brick, brickDims) * kBrickEdge;
    MinMax range;
    for (unsigned i = threadIdx.x; i < kBrickNodes; i += kGatherThreads) {
        const Vec3i node = first + nodeAt(i);
        const bool there = node.x < latticeDims.x && node.y < latticeDims.y && node.z < latticeDims.z;
        const float value = there ? layers.at(node) : std::numeric_limits<float>::quiet_NaN();
        values[brick * kBrickNodes + i] = value;
        range.add(value);
    }
    range.reduceInto(counters);
    if (threadIdx.x < kBrickEdge)
        cellMask[brick * kBrickEdge + threadIdx.x] =
            bits::before(latticeDims - Vec3i{1, 1, 1} - first, static_cast<int>(threadIdx.x));
    if (threadIdx.x == 0)
        keys[brick] = brick;
}

FieldCounters readCounters(const Buffer<FieldCounters>& counters, StreamView stream) {
    FieldCounters counted{};
    detail::copyBytes(&counted, MemorySpace::host, counters.data(), MemorySpace::device, sizeof counted,
                      stream);
    stream.synchronize();
    return counted;
}

} // namespace

ScalarField volumeField(std::span<const float> values, const LatticeShape& lattice, bool clampBorder,
                        bool insideBelow, const std::stop_token& stop, StreamView stream) {
    const WallTimer timer;
    ScalarField field = volumeLayout(values.size(), lattice, clampBorder, insideBelow);
    const Vec3i samples = lattice.dims, dims = field.brickDims;
    const auto plane = std::size_t(samples.x) * std::size_t(samples.y);
    const auto bricksInLayer = std::uint64_t(dims.x) * std::uint64_t(dims.y);
    const std::uint64_t bricks = bricksInLayer * std::uint64_t(dims.z);
    EventTimer deviceTimer(stream);
    const auto onDevice = [&]<class T>(T, std::size_t size) {
        return Buffer<T>::in(MemorySpace::device, size, stream);
    };
    field.brickKeys = onDevice(std::uint64_t{}, bricks);
    field.values = onDevice(float{}, bricks * kBrickNodes);
    field.cellMask = onDevice(std::uint64_t{}, bricks * kBrickEdge);
    auto counters = onDevice(FieldCounters{}, 1);
    check(cudaMemsetAsync(counters.data(), 0, counters.bytes(), ownStream(stream)), "cudaMemsetAsync");
    const std::size_t layerBytes = plane * kBrickEdge * sizeof(float);
    const int layersPerBatch =
        static_cast<int>(std::clamp<std::size_t>(kBatchBytes / layerBytes, 1, std::size_t(dims.z)));
    auto batch =
        onDevice(float{}, plane * std::min(std::size_t(layersPerBatch) * kBrickEdge, std::size_t(samples.z)));
    for (int layer = 0; layer < dims.z; layer += layersPerBatch) {
        if (stop.stop_requested())
            throw Cancelled();
        const int layers = std::min(layersPerBatch, dims.z - layer);
        // nodes beyond the last sample repeat it, so a batch of such nodes needs the last layer
        const int first = std::min(layer * kBrickEdge, samples.z - 1);
        const int end = std::max(first + 1, std::min((layer + layers) * kBrickEdge, samples.z));
        detail::copyBytes(batch.data(), MemorySpace::device, values.data() + std::size_t(first) * plane,
                          MemorySpace::host, std::size_t(end - first) * plane * sizeof(float), stream);
        launchBricks("fillVolume", bricksInLayer * std::uint64_t(layers), stream, fillVolume,
                     Layers{batch.data(), samples, first}, field.lattice.dims, dims,
                     bricksInLayer * std::uint64_t(layer), field.brickKeys.data(), field.values.data(),
                     field.cellMask.data(), counters.data());
    }
    setValueRange(readCounters(counters, stream), field);
    deviceTimer.stop();
    field.cost.deviceMs = deviceTimer.elapsedMs();
    field.cost.bytes = field.bytes();
    field.cost.wallMs = timer.elapsedMs();
    return field;
}

} // namespace scanloupe::cuda
