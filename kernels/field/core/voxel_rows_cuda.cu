// Groups voxels by the rows of bricks on the device. The grid's keys are ascending, so the voxels of a row
// have consecutive indices, even across the border between two bricks.
#include "kernels/field/core/cuda_brick_keys.cuh"
#include "kernels/field/core/cuda_field.cuh"

namespace scanloupe::cuda {

namespace {

/// Output of writeBrickRows, see FieldBricks.
struct RowsOut {
    BrickRow* rows;
    std::uint8_t* occupied; ///< [B, 64] one byte per row: its occupied voxels
    VoxelPosition* positions;
};

__global__ void writeBrickRows(GridShape shape, int shift, Vec3i brickDims, const std::uint64_t* keys,
                               std::size_t voxels, BrickKeys bricks, RowsOut out) {
    const std::size_t i = globalIndex();
    if (i >= voxels)
        return;
    const RowOfVoxel own = rowOfVoxel(shape, shift, keys, voxels, i);
    const Vec3i brick = own.brick;
    const std::uint64_t key = brickKey(brick, brickDims);
    const std::size_t mine = bricks.find(key);
    const int row = own.row();
    out.positions[i] = {static_cast<std::uint32_t>(mine),
                        static_cast<std::uint32_t>(own.at.x + kBrickEdge * row)};
    const std::uint32_t mask = own.mask;
    if (mask == 0)
        return; // only the thread of a row's first voxel in its brick continues
    out.occupied[mine * kBrickRows + static_cast<std::size_t>(row)] = static_cast<std::uint8_t>(mask);
    for (int dx = -1; dx <= 1; ++dx) { // write the row to this brick and to its two neighbours along x
        const std::size_t other = mine + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(dx));
        const bool there =
            brick.x + dx >= 0 && brick.x + dx < brickDims.x && other < bricks.count &&
            bricks.keys[other] == key + static_cast<std::uint64_t>(static_cast<std::int64_t>(dx));
        if (!there)
            continue;
        BrickRow& seen = out.rows[other * kBrickRows + static_cast<std::size_t>(row)];
        atomicOr(&seen.mask, mask << kBrickEdge * (1 - dx));
        atomicMax(&seen.invertedFirst, ~static_cast<std::uint32_t>(i));
    }
}

struct ConfidenceOf {
    __device__ float operator()(std::uint32_t count) const { return confidence(count); }
};
struct WeightOf {
    float perPoint;
    __device__ float operator()(std::uint32_t count) const { return perPoint * static_cast<float>(count); }
};

template <class Weight>
__global__ void packMeans(SurfelSource source, std::size_t voxels, Weight weight, float4* means) {
    const std::size_t i = globalIndex();
    if (i >= voxels)
        return;
    const Vec3f mean = source.mean(i);
    means[i] = {mean.x, mean.y, mean.z, weight(source.counts[i])};
}

template <class Weight>
Buffer<float4> packed(const FieldJob& job, Weight weight) {
    auto means = job.buffer<float4>(job.voxels.size());
    launch("packMeans", means.size(), job.stream, packMeans<Weight>, surfelSource(job.voxels, {}),
           means.size(), weight, means.data());
    return means;
}

} // namespace

Buffer<float4> confidenceMeans(const FieldJob& job) {
    return packed(job, ConfidenceOf{});
}
Buffer<float4> weightedMeans(const FieldJob& job, float perPoint) {
    return packed(job, WeightOf{perPoint});
}

FieldBricks groupVoxels(const FieldJob& job, Buffer<std::uint64_t> keys) {
    FieldBricks bricks;
    bricks.dims = job.brickDims;
    bricks.keys = std::move(keys);
    const std::size_t count = bricks.keys.size(), voxels = job.voxels.size();
    bricks.words = job.zeros<std::uint64_t>(count * (kBrickRows + kBrickEdge));
    bricks.positions = job.buffer<VoxelPosition>(voxels);
    std::uint64_t* const occupied = bricks.words.data() + count * kBrickRows;
    launch("writeBrickRows", voxels, job.stream, writeBrickRows, job.voxels.shape, job.layout.shift,
           job.brickDims, job.voxels.keys.data(), voxels, BrickKeys{bricks.keys.data(), count},
           RowsOut{reinterpret_cast<BrickRow*>(bricks.words.data()),
                   reinterpret_cast<std::uint8_t*>(occupied), bricks.positions.data()});
    bricks.around = findNeighbours(bricks.keys, bricks.keys, bricks.dims, job.stream);
    return bricks;
}

} // namespace scanloupe::cuda
