// Computes the signed distance on the device: first cells, then normals, then the distances of each node to
// nearby tangent planes.
#include "kernels/field/core/cuda_gather.cuh"
#include "kernels/field/core/sample_element.h"
#include "kernels/field/distance/cuda_distance_cells.cuh"
#include "kernels/field/kinds/cuda_field_kinds.cuh"
#include "kernels/field/surfels/cuda_surfels.cuh"

namespace scanloupe::cuda {

namespace {

struct DistanceFrame {
    LatticeShape lattice;
    Window window;
    Vec3f inverse; ///< 1 / radius^2 along each axis

    explicit DistanceFrame(const FieldLayout& layout)
        : lattice(layout.lattice), window(layout.nodes.reach, 0),
          inverse(inverseSquares(layout.nodes.radius)) {}
};

struct DistanceOut {
    std::uint64_t* keys;   ///< [kept bricks] brick keys
    float* values;         ///< [kept bricks, 512] distance at each node, metres
    std::uint32_t* known;  ///< [B, 16] see NodeBits; in 32-bit halves
    std::uint32_t* inside; ///< [B, 16] see NodeBits; in 32-bit halves
};

/// Computes the wanted nodes of a brick. Compacts them before distributing them to threads, since most bricks
/// have few wanted nodes.
__global__ void __launch_bounds__(kGatherThreads)
    gatherDistances(std::size_t firstBrick, BricksView bricks, const std::uint64_t* nodes, KeptView kept,
                    DistanceFrame frame, const float4* points, const float4* normals, DistanceOut out,
                    FieldCounters* counters) {
    __shared__ BlockRows block;
    __shared__ float values[kBrickNodes];
    __shared__ std::uint16_t wanted[kBrickNodes];
    const std::size_t brick = firstBrick + blockIdx.x;
    const unsigned thread = threadIdx.x, bit = thread % 64;
    std::uint32_t* const known = out.known + brick * 2 * kBrickEdge;
    std::uint32_t* const inside = out.inside + brick * 2 * kBrickEdge;
    if (!kept.has(brick)) {
        if (thread < 2 * kBrickEdge)
            known[thread] = inside[thread] = 0;
        return;
    }
    unsigned count = 0;
    for (unsigned z = 0; z < kBrickEdge; ++z) {
        const std::uint64_t slice = nodes[brick * kBrickEdge + z];
        if (z % (kGatherThreads / 64) == thread / 64) {
            if (slice >> bit & 1u)
                wanted[count + static_cast<unsigned>(__popcll(slice & ((std::uint64_t{1} << bit) - 1)))] =
                    static_cast<std::uint16_t>(64 * z + bit);
            else
                values[64 * z + bit] = std::numeric_limits<float>::quiet_NaN();
        }
        count += static_cast<unsigned>(__popcll(slice));
    }
    block.load(bricks, brick, frame.window.reach);
    const Vec3f first = frame.lattice.position(bricks.firstNode(brick)), edge = frame.lattice.spacing;
    for (unsigned i = thread; i < count; i += kGatherThreads) {
        const Vec3i node = nodeAt(wanted[i]);
        const Vec3f at = node.as<float>() * edge;
        PlaneSum sum;
        struct Plane {
            float4 mean, normal;
        };
        frame.window.forEachVoxel(
            block, node,
            [&](std::uint32_t voxel) {
                return Plane{points[voxel], normals[voxel]};
            },
            [&](const Plane& plane) {
                const Vec3f mean{plane.mean.x, plane.mean.y, plane.mean.z};
                addPlane(sum, at - (mean - first), {plane.normal.x, plane.normal.y, plane.normal.z},
                         plane.mean.w, frame.inverse);
            });
        values[wanted[i]] = distanceOf(sum);
    }
    __syncthreads();
    const std::size_t place = kept.place(brick);
    MinMax range;
    for (unsigned i = thread; i < kBrickNodes; i += kGatherThreads) {
        const float value = values[i];
        out.values[place * kBrickNodes + i] = value;
        range.add(value);
        const unsigned knownBits = __ballot_sync(kFullWarp, isSample(value)),
                       insideBits = __ballot_sync(kFullWarp, value < 0);
        if (thread % 32 == 0) {
            known[i / 32] = knownBits;
            inside[i / 32] = insideBits;
        }
    }
    range.reduceInto(counters);
    if (thread == 0)
        out.keys[place] = bricks.keys[brick];
}

} // namespace

namespace {
// Reach of a voxel in nodes: two rows below its brick and three above (see cpu::distanceCells). Along x, all
// neighbouring bricks are listed, since a BrickRow includes the voxels of adjacent bricks.
constexpr Vec3i kReachBelow{8, 2, 2}, kReachAbove{8, 3, 3};
} // namespace

FieldCounters fillSignedDistance(const FieldJob& job, const NormalSource& source,
                                 Buffer<FieldCounters>& counters, ScalarField& field) {
    const FieldBricks owned = groupVoxels(job, listBricks(job, kReachBelow, kReachAbove));
    const BricksView bricks = owned.view();
    const FieldCells cells = findCells(job, bricks, counters.data());
    DeviceSurfels surfels = makeSurfels(job, bricks, owned.positions.data(), source, counters.data());
    FieldCounters counted = job.read(counters);
    if (counted.guessed > 0)
        propagateOrientation(job, bricks, owned.positions.data(), surfels);

    const std::size_t kept = counted.kept.voxels, slices = bricks.count * kBrickEdge;
    field.brickKeys = job.buffer<std::uint64_t>(kept);
    field.values = job.buffer<float>(kept * kBrickNodes);
    field.cellMask = job.buffer<std::uint64_t>(kept * kBrickEdge);
    NodeBits nodes{job.buffer<std::uint64_t>(slices), job.buffer<std::uint64_t>(slices)};
    const DistanceFrame frame(job.layout);
    const DistanceOut out{field.brickKeys.data(), field.values.data(),
                          reinterpret_cast<std::uint32_t*>(nodes.known.data()),
                          reinterpret_cast<std::uint32_t*>(nodes.inside.data())};
    job.inBatches(bricks.count, frame.window.cellsOfBrick(), [&](std::size_t first, std::size_t count) {
        launchBricks("gatherDistances", count, job.stream, gatherDistances, first, bricks, cells.nodes.data(),
                     cells.kept(), frame, surfels.points.data(), surfels.normals.data(), out,
                     counters.data());
    });
    auto closed = pinholeCandidates(job, bricks, cells, nodes);
    for (;;) {
        closePinholes(job, bricks, cells, nodes, closed, counters.data(), field.cellMask.data());
        counted = job.read(counters);
        if (counted.unfinished == 0)
            break;
        check(cudaMemsetAsync(&counters.data()->unfinished, 0, sizeof counted.unfinished,
                              ownStream(job.stream)),
              "cudaMemsetAsync");
    }
    if (counted.guessed > 0)
        removeReversedCells(job, bricks, cells, nodes, surfels.normals.data(), field.values.data(),
                            field.cellMask.data());
    return counted;
}

} // namespace scanloupe::cuda
