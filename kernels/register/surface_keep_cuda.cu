// Removes cells of surface maps on the GPU that are far from a place, and copies maps.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/register/cuda_surface_slots.cuh"
#include "kernels/register/surface_device.h"

#include <algorithm>
#include <bit>
#include <cub/device/device_scan.cuh>
#include <utility>

namespace scanloupe::cuda {

namespace {

/// Marks the cells near a place, and their patches.
struct NearCells {
    Vec3d middle; ///< centre of the kept region, relative to the map's origin, metres
    double radius, edge;
    const SurfacePatch* patches;
    std::uint32_t* isKept; ///< [patches + 1] 1 for the patches to keep
    std::uint32_t* count;  ///< number of marked cells

    __device__ bool has(const SurfaceSlot& slot) const {
        return slot.key != kNoNdtKey && isCellNear(ndtCellOfKey(slot.key), edge, middle, radius);
    }
};

__global__ void markNear(const SurfaceSlot* slots, std::size_t slotCount, NearCells near) {
    const std::size_t i = globalIndex();
    if (i >= slotCount || !near.has(slots[i]))
        return;
    atomicAdd(near.count, 1U);
    for (std::uint32_t patch = slots[i].patch; patch != kNoPatch; patch = near.patches[patch].next)
        near.isKept[patch] = 1;
}

/// Copies the marked patches. @param ranks number of marked patches before each patch
__global__ void movePatches(const SurfacePatch* patches, const SurfaceSums* sums, std::uint32_t count,
                            const std::uint32_t* ranks, SurfacePatch* keptPatches, SurfaceSums* keptSums) {
    const std::size_t i = globalIndex();
    if (i >= count || ranks[i] == ranks[i + 1])
        return;
    SurfacePatch patch = patches[i];
    if (patch.next != kNoPatch) // patches of one cell are either all kept or all removed
        patch.next = ranks[patch.next];
    keptPatches[ranks[i]] = patch;
    keptSums[ranks[i]] = sums[i];
}

__global__ void moveSlots(const SurfaceSlot* slots, std::size_t slotCount, NearCells near,
                          const std::uint32_t* ranks, SurfaceSlot* keptSlots, std::uint64_t mask) {
    const std::size_t i = globalIndex();
    if (i >= slotCount || !near.has(slots[i]))
        return;
    bool isNew = false;
    keptSlots[claimSlot(keptSlots, mask, slots[i].key, isNew)].patch = ranks[slots[i].patch];
}

Buffer<SurfaceSlot> emptySlots(std::uint64_t size, StreamView stream) {
    auto slots = Buffer<SurfaceSlot>::in(MemorySpace::device, size, stream);
    check(cudaMemsetAsync(slots.data(), 0xff, slots.bytes(), ownStream(stream)), "cudaMemsetAsync");
    return slots;
}

} // namespace

void DeviceSurfaceMap::keepNear(Vec3d place, double radius, StreamView stream) {
    if (m_patchCount == 0)
        return;
    auto ranks = Buffer<std::uint32_t>::in(MemorySpace::device, m_patchCount + std::size_t{1}, stream);
    auto count = Buffer<std::uint32_t>::in(MemorySpace::device, 1, stream);
    check(cudaMemsetAsync(ranks.data(), 0, ranks.bytes(), ownStream(stream)), "cudaMemsetAsync");
    check(cudaMemsetAsync(count.data(), 0, count.bytes(), ownStream(stream)), "cudaMemsetAsync");
    const NearCells near{place - m_origin, radius,       m_level.edge,
                         m_patches.data(), ranks.data(), count.data()};
    launch("markNear", m_slots.size(), stream, markNear, m_slots.data(), m_slots.size(), near);
    runCub("cub::DeviceScan::ExclusiveSum", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, ranks.data(), ranks.data(),
                                             static_cast<int>(ranks.size()), ownStream(stream));
    });
    std::uint32_t cells = 0, patches = 0;
    scanloupe::detail::copyBytes(&cells, MemorySpace::host, count.data(), MemorySpace::device, sizeof cells,
                                 stream);
    scanloupe::detail::copyBytes(&patches, MemorySpace::host, ranks.data() + m_patchCount,
                                 MemorySpace::device, sizeof patches, stream);
    stream.synchronize();
    auto keptPatches = Buffer<SurfacePatch>::in(MemorySpace::device, patches, stream);
    auto keptSums = Buffer<SurfaceSums>::in(MemorySpace::device, patches, stream);
    const std::uint64_t slots = std::bit_ceil(2 * (std::uint64_t{cells} + 1));
    Buffer<SurfaceSlot> keptSlots = emptySlots(slots, stream);
    launch("movePatches", m_patchCount, stream, movePatches, m_patches.data(), m_sums.data(), m_patchCount,
           ranks.data(), keptPatches.data(), keptSums.data());
    launch("moveSlots", m_slots.size(), stream, moveSlots, m_slots.data(), m_slots.size(), near, ranks.data(),
           keptSlots.data(), slots - 1);
    m_patches = std::move(keptPatches);
    m_sums = std::move(keptSums);
    m_slots = std::move(keptSlots);
    m_patchCount = patches;
    m_cellCount = cells;
}

DeviceSurfaceMap DeviceSurfaceMap::copy(StreamView stream) const {
    DeviceSurfaceMap copied(m_level);
    copied.m_origin = m_origin;
    copied.m_patchCount = m_patchCount;
    copied.m_cellCount = m_cellCount;
    copied.m_patches = m_patches.copyTo(MemorySpace::device, stream);
    copied.m_sums = m_sums.copyTo(MemorySpace::device, stream);
    copied.m_slots = m_slots.copyTo(MemorySpace::device, stream);
    return copied;
}

void DeviceSurfacePyramid::keepNear(Vec3d place, double radius, StreamView stream) {
    for (DeviceSurfaceMap& level : m_levels)
        level.keepNear(place, radius, stream);
}

DeviceSurfacePyramid DeviceSurfacePyramid::copy(StreamView stream) const {
    DeviceSurfacePyramid copied;
    for (const DeviceSurfaceMap& level : m_levels)
        copied.m_levels.push_back(level.copy(stream));
    stream.synchronize();
    return copied;
}

} // namespace scanloupe::cuda
