// Finds changed voxels of a surface on the device, with one thread per slice of a brick.
#include "kernels/core/device_copy.h"
#include "kernels/field/core/cuda_gather.cuh"
#include "kernels/field/voxels/surface_voxels_element.h"
#include "kernels/field/voxels/voxel_change_words.h"

namespace scanloupe::cuda {

namespace {

/// Computes the bits of nodes with one block per brick; each warp computes 32 bits at a time.
__global__ void __launch_bounds__(kGatherThreads)
    nodeBits(const float* values, VoxelLattice lattice, std::uint32_t* known, std::uint32_t* inside) {
    const std::size_t brick = blockIdx.x;
    for (unsigned i = threadIdx.x; i < kBrickNodes; i += kGatherThreads) {
        const float value = values[brick * kBrickNodes + i];
        const unsigned isKnown = __ballot_sync(kFullWarp, value == value);
        const unsigned isInside = __ballot_sync(kFullWarp, isInsideValue(lattice, value));
        if (i % 32 == 0) {
            known[brick * 2 * kBrickEdge + i / 32] = isKnown;
            inside[brick * 2 * kBrickEdge + i / 32] = isInside;
        }
    }
}

struct FieldNodes {
    Buffer<std::uint64_t> known, inside; ///< [B, 8]
    Buffer<std::uint32_t> around;        ///< [bricks, 27] neighbours
    const std::uint64_t* cells = nullptr;

    FieldNodes() = default;
    FieldNodes(const ScalarField& field, const VoxelLattice& lattice, const Buffer<std::uint64_t>& bricks,
               StreamView stream) {
        const std::size_t words = std::max<std::size_t>(field.brickCount(), 1) * kBrickEdge;
        known = Buffer<std::uint64_t>::in(MemorySpace::device, words, stream);
        inside = Buffer<std::uint64_t>::in(MemorySpace::device, words, stream);
        cells = field.cellMask.data();
        if (field.brickCount() == 0) { // slices without a brick read the first brick, so there must be one
            check(cudaMemsetAsync(known.data(), 0, known.bytes(), ownStream(stream)), "cudaMemsetAsync");
            check(cudaMemsetAsync(inside.data(), 0, inside.bytes(), ownStream(stream)), "cudaMemsetAsync");
            cells = known.data();
        }
        launchBricks("nodeBits", field.brickCount(), stream, nodeBits, field.values.data(), lattice,
                     reinterpret_cast<std::uint32_t*>(known.data()),
                     reinterpret_cast<std::uint32_t*>(inside.data()));
        around = findNeighbours(bricks, field.brickKeys, field.brickDims, stream);
    }
    NodeWords words() const { return {known.data(), inside.data(), cells}; }
};

struct Keys {
    const std::uint64_t* keys = nullptr;
    std::uint32_t count = 0;
    Keys() = default;
    explicit Keys(const Buffer<std::uint64_t>& buffer)
        : keys(buffer.data()), count(static_cast<std::uint32_t>(buffer.size())) {}
};

struct ChangeView {
    VoxelLattice lattice;
    Vec3i brickDims;
    const std::uint64_t* bricks;
    std::size_t count;
    NodeWords now, base;
    const std::uint32_t *nowAround, *baseAround; ///< neighbours of each brick in both fields; baseAround is
                                                 ///< null without a base
    Keys points, there;
    std::uint64_t *added, *removed, *listed; ///< [count, 8] words of each brick
    std::uint32_t* rowBegins;                ///< [count, 64] begin of each row in the current voxels
};

__global__ void findChanges(ChangeView view) {
    const std::size_t word = globalIndex(), brick = word / kBrickEdge;
    if (brick >= view.count)
        return;
    const int z = static_cast<int>(word % kBrickEdge);
    const Vec3i first = brickOf(view.bricks[brick], view.brickDims) * kBrickEdge;
    const VoxelSlice voxels =
        voxelSlice(view.lattice, view.now, view.nowAround + brick * kNeighbours, first, z);
    std::uint64_t wanted = voxels.surface;
    if (view.baseAround) {
        const std::uint64_t points = listedVoxels(view.lattice, view.points.keys, view.points.count, first, z,
                                                  [](int, std::uint32_t) {});
        wanted = wantedVoxels(
            voxels, voxelSlice(view.lattice, view.base, view.baseAround + brick * kNeighbours, first, z),
            points);
    }
    wanted &= voxelsInGrid(view.lattice, first, z);
    const std::uint64_t there =
        listedVoxels(view.lattice, view.there.keys, view.there.count, first, z, [&](int y, std::uint32_t at) {
            view.rowBegins[word * kBrickEdge + static_cast<std::size_t>(y)] = at;
        });
    view.added[word] = wanted & ~there;
    view.removed[word] = there & ~wanted;
    view.listed[word] = there;
}

} // namespace

VoxelChange surfaceVoxels(const SurfaceVoxelSource& source, const std::stop_token& stop, StreamView stream) {
    const std::size_t count = source.bricks.size(), words = count * kBrickEdge;
    if (count == 0)
        return {};
    const auto bricks = deviceCopy(source.bricks, stream);
    const FieldNodes now(source.field, source.lattice, bricks, stream);
    const FieldNodes base =
        source.base ? FieldNodes(*source.base, source.lattice, bricks, stream) : FieldNodes();
    const bool isEmpty = source.there.empty();
    const auto buffer = [&]<class T>(std::size_t size) {
        return Buffer<T>::in(MemorySpace::device, size, stream);
    };
    auto found = buffer.operator()<std::uint64_t>(3 * words);
    auto rowBegins = buffer.operator()<std::uint32_t>(words * kBrickEdge);
    const ChangeView view{source.lattice,
                          source.field.brickDims,
                          bricks.data(),
                          count,
                          now.words(),
                          base.words(),
                          now.around.data(),
                          source.base ? base.around.data() : nullptr,
                          source.points ? Keys(*source.points) : Keys(),
                          Keys(source.there),
                          found.data(),
                          found.data() + words,
                          found.data() + 2 * words,
                          rowBegins.data()};
    launch("findChanges", words, stream, findChanges, view);
    // without current voxels there are only additions
    auto onHost = Buffer<std::uint64_t>::host(isEmpty ? words : 3 * words);
    detail::copyBytes(onHost.data(), MemorySpace::host, found.data(), MemorySpace::device, onHost.bytes(),
                      stream);
    auto rows = Buffer<std::uint32_t>::host(isEmpty ? 0 : rowBegins.size());
    if (!isEmpty)
        detail::copyBytes(rows.data(), MemorySpace::host, rowBegins.data(), MemorySpace::device, rows.bytes(),
                          stream);
    stream.synchronize();
    if (stop.stop_requested())
        throw Cancelled();
    const std::span<const std::uint64_t> all = onHost.span();
    if (isEmpty)
        return voxelChangeOf(source, {all, {}, {}, {}}, stop);
    return voxelChangeOf(source, {all.first(words), all.subspan(words, words), all.last(words), rows.span()},
                         stop);
}

} // namespace scanloupe::cuda
