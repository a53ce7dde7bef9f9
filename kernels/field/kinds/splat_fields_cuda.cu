// Computes occupancy and density on the device: each node sums over the voxels within reach.
#include "kernels/field/core/cuda_gather.cuh"
#include "kernels/field/kinds/cuda_field_kinds.cuh"
#include "kernels/field/kinds/splat_element.h"

namespace scanloupe::cuda {

namespace {

/// The occupancy field: 1 at occupied voxels, smoothed.
struct Occupancy {
    __device__ float value(const BlockRows& block, const Window& window, Vec3i, Vec3i node) const {
        float result = 0;
        window.forEachRun(block, node, [&](VoxelRun, int, int) { result = 1; });
        return result;
    }
};

struct SmoothOccupancy {
    const float* weights; ///< see smoothingWeights()

    __device__ float value(const BlockRows& block, const Window& window, Vec3i, Vec3i node) const {
        return smoothedOccupancy(weights, window.size,
                                 [&](auto&& body) { window.forEachRun(block, node, body); });
    }
};

struct Density {
    const float4* means; ///< see weightedMeans()
    LatticeShape lattice;
    Vec3f inverse; ///< 1 / radius^2 along each axis

    __device__ float value(const BlockRows& block, const Window& window, Vec3i firstNode, Vec3i node) const {
        const auto pointOf = [&](std::uint32_t voxel) {
            const float4 mean = means[voxel];
            return WeightedPoint{{mean.x, mean.y, mean.z}, mean.w};
        };
        return pointDensity(node.as<float>() * lattice.spacing, lattice.position(firstNode), inverse, pointOf,
                            [&](auto&& body) { window.forEachRun(block, node, body); });
    }
};

template <class Kind>
__global__ void __launch_bounds__(kGatherThreads)
    gatherSplats(std::size_t firstBrick, BricksView bricks, Vec3i latticeDims, Window window, Kind kind,
                 float* values, std::uint64_t* cellMask, FieldCounters* counters) {
    __shared__ BlockRows block;
    const std::size_t brick = firstBrick + blockIdx.x;
    block.load(bricks, brick, window.reach);
    const Vec3i first = bricks.firstNode(brick);
    MinMax range;
    for (unsigned i = threadIdx.x; i < kBrickNodes; i += kGatherThreads) {
        const Vec3i node = nodeAt(i);
        const float value = borderValue(first + node, latticeDims, kind.value(block, window, first, node));
        values[brick * kBrickNodes + i] = value;
        range.add(value);
    }
    range.reduceInto(counters);
    if (threadIdx.x < kBrickEdge)
        cellMask[brick * kBrickEdge + threadIdx.x] =
            bits::before(latticeDims - Vec3i{1, 1, 1} - first, static_cast<int>(threadIdx.x));
}

template <class Kind>
FieldCounters fill(const FieldJob& job, const FieldBricks& bricks, const Kind& kind,
                   Buffer<FieldCounters>& counters, ScalarField& field) {
    const BricksView view = bricks.view();
    field.values = job.buffer<float>(view.count * kBrickNodes);
    field.cellMask = job.buffer<std::uint64_t>(view.count * kBrickEdge);
    const Window window(job.layout.nodes.reach, 1);
    job.inBatches(view.count, window.cellsOfBrick(), [&](std::size_t first, std::size_t count) {
        launchBricks("gatherSplats", count, job.stream, gatherSplats<Kind>, first, view, field.lattice.dims,
                     window, kind, field.values.data(), field.cellMask.data(), counters.data());
    });
    return job.read(counters);
}

Buffer<std::uint64_t> splatBricks(const FieldJob& job) {
    // an additional border of zeros, which closes the surface
    const Vec3i rim = job.layout.nodes.reach + Vec3i{1, 1, 1};
    return listBricks(job, rim, rim);
}

} // namespace

FieldCounters fillOccupancy(const FieldJob& job, Buffer<FieldCounters>& counters, ScalarField& field) {
    FieldBricks bricks = groupVoxels(job, splatBricks(job));
    FieldCounters counted;
    if (job.layout.nodes.reach == Vec3i{}) {
        counted = fill(job, bricks, Occupancy{}, counters, field);
    } else {
        const auto weights = hostCopy(std::span<const float>(smoothingWeights(job.layout)))
                                 .copyTo(MemorySpace::device, job.stream);
        counted = fill(job, bricks, SmoothOccupancy{weights.data()}, counters, field);
    }
    field.brickKeys = std::move(bricks.keys);
    return counted;
}

FieldCounters fillDensity(const FieldJob& job, Buffer<FieldCounters>& counters, ScalarField& field) {
    const Vec3f radius = job.layout.nodes.radius;
    FieldBricks bricks = groupVoxels(job, splatBricks(job));
    const auto means = weightedMeans(job, triweightNormalization(radius));
    const FieldCounters counted =
        fill(job, bricks, Density{means.data(), field.lattice, inverseSquares(radius)}, counters, field);
    field.brickKeys = std::move(bricks.keys);
    return counted;
}

} // namespace scanloupe::cuda
