// Finds the most frequent class of each voxel on the device: sorts keys of voxel and class, and finds the
// longest run of each voxel.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/core/error.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/values/voxel_modes.h"

#include <bit>
#include <cub/device/device_radix_sort.cuh>

namespace scanloupe::cuda {

namespace {

/// Packs the voxel into the high bits and the class into the low bits of a key. Points without a voxel get
/// voxel V, which is sorted last.
template <class Key>
__global__ void packKeys(const std::uint32_t* pointVoxel, const std::uint32_t* codes, std::size_t count,
                         std::uint32_t voxels, int codeBits, Key* keys) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const std::uint32_t voxel = pointVoxel[i];
    keys[i] = voxel < voxels ? static_cast<Key>(voxel) << codeBits | codes[i]
                             : static_cast<Key>(voxels) << codeBits;
}

/// Returns the length of the run of equal keys that begins at `first`, by exponential, then binary search.
template <class Key>
__device__ std::uint32_t runLength(const Key* sorted, std::size_t count, std::size_t first) {
    const Key key = sorted[first];
    std::size_t last = first, step = 1; // `last` is always in the run
    while (last + step < count && sorted[last + step] == key) {
        last += step;
        step *= 2;
    }
    std::size_t past = last + step < count ? last + step : count; // `past` is always after the run
    while (past - last > 1) {
        const std::size_t middle = last + (past - last) / 2;
        if (sorted[middle] == key)
            last = middle;
        else
            past = middle;
    }
    return static_cast<std::uint32_t>(last - first + 1);
}

/// The first thread of each run updates its voxel's maximum of run length and class. The maximum is the
/// longest run, and among equally long runs the one of the lowest class, independent of the order of the
/// atomic operations.
template <class Key>
__global__ void keepLongestRuns(const Key* sorted, std::size_t count, std::uint32_t voxels, int codeBits,
                                unsigned long long* best) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const Key key = sorted[i];
    const Key voxel = key >> codeBits;
    if (voxel >= voxels || (i > 0 && sorted[i - 1] == key))
        return;
    const auto code = static_cast<std::uint32_t>(key & ((Key{1} << codeBits) - 1));
    const unsigned long long length = runLength(sorted, count, i);
    atomicMax(best + voxel, length << 32 | (0xffffffffu - code));
}

__global__ void writeModes(const unsigned long long* best, std::size_t voxels, std::uint32_t* modes) {
    const std::size_t v = globalIndex();
    if (v < voxels)
        modes[v] = best[v] == 0 ? 0 : 0xffffffffu - static_cast<std::uint32_t>(best[v]);
}

template <class T>
void clear(T* values, std::size_t count, StreamView stream) {
    if (count > 0)
        check(cudaMemsetAsync(values, 0, count * sizeof(T), ownStream(stream)), "cudaMemsetAsync");
}

template <class Key>
void modesOf(const VoxelMembers& members, const CategoryView& category, int voxelBits, int codeBits,
             std::uint32_t* modes, StreamView stream) {
    const auto voxels = static_cast<std::uint32_t>(members.voxels);
    auto keys = Buffer<Key>::in(MemorySpace::device, members.count, stream),
         others = Buffer<Key>::in(MemorySpace::device, members.count, stream);
    launch("packKeys", members.count, stream, packKeys<Key>, members.pointVoxel, category.codes,
           members.count, voxels, codeBits, keys.data());
    cub::DoubleBuffer<Key> sorted(keys.data(), others.data());
    runCub("cub::DeviceRadixSort::SortKeys", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, sorted, members.count, 0, voxelBits + codeBits,
                                              ownStream(stream));
    });
    auto best = Buffer<unsigned long long>::in(MemorySpace::device, members.voxels, stream);
    clear(best.data(), best.size(), stream);
    launch("keepLongestRuns", members.count, stream, keepLongestRuns<Key>,
           static_cast<const Key*>(sorted.Current()), members.count, voxels, codeBits, best.data());
    launch("writeModes", members.voxels, stream, writeModes, best.data(), members.voxels, modes);
}

} // namespace

Buffer<std::uint32_t> voxelModes(const VoxelMembers& members, std::span<const CategoryView> categories,
                                 const std::stop_token& stop, StreamView stream) {
    checkModes(members, categories);
    auto modes = Buffer<std::uint32_t>::in(MemorySpace::device, categories.size() * members.voxels, stream);
    clear(modes.data(), modes.size(), stream);
    if (members.voxels == 0 || members.count == 0)
        return modes;
    const int voxelBits = std::bit_width(static_cast<std::uint32_t>(members.voxels));
    for (std::size_t c = 0; c < categories.size(); ++c) {
        if (categories[c].classes <= 1)
            continue; // all points have the same class
        if (stop.stop_requested())
            throw Cancelled();
        const int codeBits = std::bit_width(categories[c].classes - 1);
        std::uint32_t* column = modes.data() + c * members.voxels;
        if (voxelBits + codeBits <= 32)
            modesOf<std::uint32_t>(members, categories[c], voxelBits, codeBits, column, stream);
        else
            modesOf<std::uint64_t>(members, categories[c], voxelBits, codeBits, column, stream);
    }
    return modes;
}

} // namespace scanloupe::cuda
