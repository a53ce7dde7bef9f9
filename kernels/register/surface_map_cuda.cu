// Adds scans to pyramids of surfaces on the GPU: sorts the points of all levels by cell and direction, then
// sums each patch in the order of its points.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/register/cuda_surface_slots.cuh"
#include "kernels/register/surface_device.h"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <string>
#include <thrust/iterator/counting_iterator.h>
#include <utility>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kDirectionBits = 3;
static_assert(kPatchDirections <= 1U << kDirectionBits);
using Numbers = thrust::counting_iterator<std::uint32_t>;

/// Counters of an added scan, for each level.
struct AddFound {
    std::uint32_t beyond[kMaxSurfaceLevels] = {}; ///< number of points out of the range of cells
    std::uint32_t cells[kMaxSurfaceLevels] = {};  ///< number of new cells
    std::uint32_t patches[kMaxSurfaceLevels] = {};
    std::uint32_t runs = 0; ///< number of runs of points that belong to one patch, in all levels

    __host__ __device__ bool anyBeyond() const {
        bool any = false;
        for (const std::uint32_t count : beyond)
            any = any || count > 0;
        return any;
    }
};

/// A map to which points are added.
struct GrowingMap {
    SurfacePlacing placing;
    SurfaceSlot* slots;
    std::uint64_t mask; ///< number of slots, a power of two, minus 1
    SurfacePatch* patches;
    SurfaceSums* sums;
    std::uint32_t patchCount; ///< number of patches before the points are added
    std::uint64_t firstId;    ///< first id of the patches that its slots can hold; their ids are consecutive

    __device__ std::uint64_t slotOf(std::uint64_t key, bool& isNew) const {
        return claimSlot(slots, mask, key, isNew);
    }
};
/// The points of a scan in all levels: item i is point i % points of level i / points.
struct GrowingMaps {
    GrowingMap levels[kMaxSurfaceLevels];
    int levelCount;
    std::uint32_t points;
    std::uint64_t idEnd; ///< one above all ids; marks points without a surface

    __host__ __device__ std::uint32_t items() const { return std::uint32_t(levelCount) * points; }
};

/// A surface point in the frame of its patch.
struct PatchPoint {
    Vec3d offset, normal;
};

/// Finds or inserts the cells of the points. The slot of a cell depends on the order of the threads; patches
/// and look-ups do not.
template <class Id>
__global__ void placePoints(const __grid_constant__ GrowingMaps maps, const Vec3f* points,
                            const Vec3f* normals, const float* thickness, Id* ids, std::uint32_t* order,
                            PatchPoint* placedPoints, AddFound* found) {
    const std::size_t i = globalIndex();
    if (i >= maps.items())
        return;
    const std::uint32_t level = static_cast<std::uint32_t>(i) / maps.points,
                        point = static_cast<std::uint32_t>(i) % maps.points;
    const GrowingMap& map = maps.levels[level];
    PlacedSurface placed;
    const SurfacePlace where = map.placing.place(points[point], normals[point], thickness[point], placed);
    std::uint64_t id = maps.idEnd;
    if (where == SurfacePlace::beyond)
        atomicAdd(&found->beyond[level], 1U);
    if (where == SurfacePlace::inside) {
        bool isNew = false;
        const std::uint64_t slot = map.slotOf(ndtKey(placed.cell), isNew);
        if (isNew)
            atomicAdd(&found->cells[level], 1U);
        id = map.firstId + (slot << kDirectionBits | placed.direction);
        placedPoints[i] = {placed.offset, placed.normal};
    }
    ids[i] = static_cast<Id>(id);
    order[i] = static_cast<std::uint32_t>(i);
}

template <class Id>
struct BeginsPatch {
    const Id* ids; ///< sorted ids
    Id end;
    __device__ bool operator()(std::uint32_t i) const {
        return ids[i] != end && (i == 0 || ids[i] != ids[i - 1]);
    }
};

/// The points of one patch, which are consecutive in the sorted order.
template <class Id>
struct PatchRuns {
    const Id* ids;               // [items] sorted ids
    const std::uint32_t* order;  // [items] indices of the points; the points of a patch keep their order
    const std::uint32_t* begins; // [AddFound::runs] position in `order` of the first point of each run

    __device__ std::uint32_t level(const GrowingMaps& maps, std::uint32_t run) const {
        return order[begins[run]] / maps.points;
    }
    /// Returns the index of a run's patch within its map, as part of the ids.
    __device__ std::uint64_t id(const GrowingMap& map, std::uint32_t run) const {
        return ids[begins[run]] - map.firstId;
    }
};

/// Finds the existing patches. Sets `isFirst` for the first points of new patches.
template <class Id>
__global__ void findPatches(const __grid_constant__ GrowingMaps maps, PatchRuns<Id> runs,
                            std::uint32_t* patches, std::uint32_t* isFirst, const AddFound* found) {
    const std::size_t run = globalIndex();
    if (run >= found->runs)
        return;
    const auto at = static_cast<std::uint32_t>(run);
    const GrowingMap& map = maps.levels[runs.level(maps, at)];
    const std::uint64_t id = runs.id(map, at);
    std::uint32_t patch = map.slots[id >> kDirectionBits].patch;
    while (patch != kNoPatch && map.sums[patch].direction != (id & ((1U << kDirectionBits) - 1)))
        patch = map.patches[patch].next;
    patches[run] = patch;
    if (patch == kNoPatch)
        isFirst[runs.order[runs.begins[run]]] = 1;
}

/// Sums the points of each patch. New patches follow the existing ones, in the order of their first points.
/// @param ranks [items + 1] number of previous items that are first points of new patches
template <class Id>
__global__ void sumPatches(const __grid_constant__ GrowingMaps maps, PatchRuns<Id> runs,
                           const PatchPoint* points, const std::uint32_t* ranks, std::uint32_t* patches,
                           AddFound* found) {
    const std::size_t run = globalIndex();
    if (run < std::size_t(maps.levelCount))
        found->patches[run] = ranks[(run + 1) * maps.points] - ranks[run * maps.points];
    if (run >= found->runs || found->anyBeyond())
        return;
    const std::uint32_t begin = runs.begins[run];
    const Id id = runs.ids[begin];
    const std::uint32_t level = runs.level(maps, static_cast<std::uint32_t>(run));
    const GrowingMap& map = maps.levels[level];
    const std::uint64_t idInMap = id - map.firstId;
    SurfaceSums sums;
    SurfacePatch patch;
    std::uint32_t at = patches[run];
    if (at == kNoPatch) {
        at = patches[run] = map.patchCount + ranks[runs.order[begin]] - ranks[level * maps.points];
        sums.direction = static_cast<std::uint32_t>(idInMap & ((1U << kDirectionBits) - 1));
    } else {
        sums = map.sums[at];
        patch.next = map.patches[at].next;
    }
    for (std::uint32_t i = begin; i < maps.items() && runs.ids[i] == id; ++i) {
        const PatchPoint point = points[runs.order[i]];
        sums.add(point.offset, point.normal);
    }
    sums.setPatch(map.placing.middleOf(ndtCellOfKey(map.slots[idInMap >> kDirectionBits].key)), patch);
    map.sums[at] = sums;
    map.patches[at] = patch;
}

/// Appends new patches to the lists of their cells, in the order of their numbers.
template <class Id>
__global__ void linkPatches(const __grid_constant__ GrowingMaps maps, PatchRuns<Id> runs,
                            const std::uint32_t* patches, const AddFound* found) {
    const std::size_t run = globalIndex();
    if (run >= found->runs || found->anyBeyond())
        return;
    const auto at = static_cast<std::uint32_t>(run);
    const GrowingMap& map = maps.levels[runs.level(maps, at)];
    const std::uint64_t slot = runs.id(map, at) >> kDirectionBits;
    const auto isOfCell = [&](std::uint32_t other) {
        return runs.level(maps, other) == runs.level(maps, at) &&
               runs.id(map, other) >> kDirectionBits == slot;
    };
    if (run > 0 && isOfCell(at - 1))
        return; // the first run of the cell links all its patches
    std::uint32_t added[kPatchDirections];
    unsigned count = 0;
    for (std::uint32_t other = at; other < found->runs && (other == at || isOfCell(other)); ++other) {
        if (patches[other] < map.patchCount)
            continue;
        unsigned place = count++;
        for (; place > 0 && added[place - 1] > patches[other]; --place)
            added[place] = added[place - 1];
        added[place] = patches[other];
    }
    std::uint32_t* last = &map.slots[slot].patch;
    while (*last != kNoPatch)
        last = &map.patches[*last].next;
    for (unsigned i = 0; i < count; ++i) {
        *last = added[i];
        last = &map.patches[added[i]].next;
    }
}

__global__ void insertSlots(const SurfaceSlot* from, std::uint64_t count, GrowingMap to) {
    const std::size_t i = globalIndex();
    if (i >= count || from[i].key == kNoNdtKey)
        return;
    bool isNew = false;
    to.slots[to.slotOf(from[i].key, isNew)].patch = from[i].patch;
}

class Addition {
public:
    Addition(const GrowingMaps& maps, StreamView stream)
        : m_maps(maps), m_stream(stream), m_found(buffer<AddFound>(1)) {}

    AddFound run(const DevicePointShapes& shapes) {
        if (m_maps.idEnd < 0xffffffffU)
            add<std::uint32_t>(shapes);
        else
            add<std::uint64_t>(shapes);
        AddFound found;
        scanloupe::detail::copyBytes(&found, MemorySpace::host, m_found.data(), MemorySpace::device,
                                     sizeof found, m_stream);
        m_stream.synchronize();
        return found;
    }

private:
    template <class T>
    Buffer<T> buffer(std::size_t size) const {
        return Buffer<T>::in(MemorySpace::device, size, m_stream);
    }
    void clear(void* data, std::size_t bytes) const {
        check(cudaMemsetAsync(data, 0, bytes, ownStream(m_stream)), "cudaMemsetAsync");
    }

    template <class Id>
    void add(const DevicePointShapes& shapes) {
        const std::uint32_t items = m_maps.items();
        auto ids = buffer<Id>(items), otherIds = buffer<Id>(items);
        auto order = buffer<std::uint32_t>(items), otherOrder = buffer<std::uint32_t>(items);
        auto points = buffer<PatchPoint>(items);
        clear(m_found.data(), m_found.bytes());
        launch("placePoints", items, m_stream, placePoints<Id>, m_maps, shapes.points.data(),
               shapes.normals.data(), shapes.thickness.data(), ids.data(), order.data(), points.data(),
               m_found.data());
        cub::DoubleBuffer<Id> sortedIds(ids.data(), otherIds.data());
        cub::DoubleBuffer<std::uint32_t> sortedOrder(order.data(), otherOrder.data());
        runCub("cub::DeviceRadixSort::SortPairs", m_stream, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortPairs(
                scratch, bytes, sortedIds, sortedOrder, static_cast<int>(items), 0,
                static_cast<int>(std::bit_width(m_maps.idEnd)), ownStream(m_stream));
        });
        auto begins = buffer<std::uint32_t>(items);
        runCub("cub::DeviceSelect::If", m_stream, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceSelect::If(
                scratch, bytes, Numbers(0), begins.data(), &m_found.data()->runs, static_cast<int>(items),
                BeginsPatch<Id>{sortedIds.Current(), static_cast<Id>(m_maps.idEnd)}, ownStream(m_stream));
        });
        addRuns(PatchRuns<Id>{sortedIds.Current(), sortedOrder.Current(), begins.data()}, points);
    }

    template <class Id>
    void addRuns(const PatchRuns<Id>& runs, const Buffer<PatchPoint>& points) {
        const std::uint32_t items = m_maps.items();
        auto patches = buffer<std::uint32_t>(items);
        // The last element is the total.
        auto ranks = buffer<std::uint32_t>(items + 1);
        clear(ranks.data(), ranks.bytes());
        launch("findPatches", items, m_stream, findPatches<Id>, m_maps, runs, patches.data(), ranks.data(),
               m_found.data());
        runCub("cub::DeviceScan::ExclusiveSum", m_stream, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceScan::ExclusiveSum(scratch, bytes, ranks.data(), ranks.data(),
                                                 static_cast<int>(items + 1), ownStream(m_stream));
        });
        launch("sumPatches", items, m_stream, sumPatches<Id>, m_maps, runs, points.data(), ranks.data(),
               patches.data(), m_found.data());
        launch("linkPatches", items, m_stream, linkPatches<Id>, m_maps, runs, patches.data(), m_found.data());
    }

    const GrowingMaps& m_maps;
    StreamView m_stream;
    Buffer<AddFound> m_found;
};

/// Enlarges a buffer that is too small, at least to twice its size.
template <class T>
void growTo(Buffer<T>& values, std::size_t used, std::size_t wanted, StreamView stream) {
    if (wanted <= values.size())
        return;
    auto larger = Buffer<T>::in(MemorySpace::device, std::max(wanted, 2 * values.size()), stream);
    scanloupe::detail::copyBytes(larger.data(), MemorySpace::device, values.data(), MemorySpace::device,
                                 used * sizeof(T), stream);
    values = std::move(larger);
}

} // namespace

std::vector<SurfacePatch> DeviceSurfaceMap::patches(StreamView stream) const {
    std::vector<SurfacePatch> patches(m_patchCount);
    scanloupe::detail::copyBytes(patches.data(), MemorySpace::host, m_patches.data(), MemorySpace::device,
                                 patches.size() * sizeof(SurfacePatch), stream);
    stream.synchronize();
    return patches;
}

void DeviceSurfaceMap::reserve(std::size_t points, StreamView stream) {
    growTo(m_patches, m_patchCount, m_patchCount + points, stream);
    growTo(m_sums, m_patchCount, m_patchCount + points, stream);
    const std::size_t wanted = std::bit_ceil(2 * (m_cellCount + points));
    if (wanted <= m_slots.size())
        return;
    auto slots = Buffer<SurfaceSlot>::in(MemorySpace::device, wanted, stream);
    check(cudaMemsetAsync(slots.data(), 0xff, slots.bytes(), ownStream(stream)), "cudaMemsetAsync");
    launch("insertSlots", m_slots.size(), stream, insertSlots, m_slots.data(), m_slots.size(),
           GrowingMap{{}, slots.data(), wanted - 1, nullptr, nullptr, 0, 0});
    m_slots = std::move(slots);
}

DeviceSurfacePyramid::DeviceSurfacePyramid(double edge, double coarsest, bool isOriented) {
    for (const SurfaceLevel& level : surfaceLevels(edge, coarsest, isOriented))
        m_levels.emplace_back(level);
}

void DeviceSurfacePyramid::add(const DevicePointShapes& shapes, Vec3d origin, const RigidTransform& pose,
                               StreamView stream) {
    if (shapes.size() * m_levels.size() > 0x7ffffffe)
        throw KernelError("a scan of " + std::to_string(shapes.size()) +
                              " surfaces is too large to be added to a map",
                          "Use larger cells, or thin the scan.");
    GrowingMaps maps{};
    maps.levelCount = int(m_levels.size());
    maps.points = static_cast<std::uint32_t>(shapes.size());
    std::vector<Vec3d> origins;
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        DeviceSurfaceMap& level = m_levels[i];
        Vec3d& at = origins.emplace_back(level.m_origin);
        const SurfacePlacing placing = placeSurfaces(origin, pose, level.m_level, level.m_patchCount > 0, at);
        if (shapes.size() == 0)
            continue;
        level.reserve(shapes.size(), stream);
        maps.levels[i] = {placing,
                          level.m_slots.data(),
                          level.m_slots.size() - 1,
                          level.m_patches.data(),
                          level.m_sums.data(),
                          level.m_patchCount,
                          maps.idEnd};
        maps.idEnd += level.m_slots.size() << kDirectionBits;
    }
    const AddFound found = shapes.size() > 0 ? Addition(maps, stream).run(shapes) : AddFound{};
    for (std::size_t i = 0; i < m_levels.size(); ++i)
        m_levels[i].m_cellCount += found.cells[i];
    for (std::size_t i = 0; i < m_levels.size(); ++i)
        if (found.beyond[i] > 0)
            throwSurfacesBeyond(m_levels[i].edge());
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        m_levels[i].m_origin = origins[i];
        m_levels[i].m_patchCount += found.patches[i];
    }
}

std::uint64_t DeviceSurfacePyramid::bytes() const {
    std::uint64_t sum = 0;
    for (const DeviceSurfaceMap& level : m_levels)
        sum += level.bytes();
    return sum;
}

} // namespace scanloupe::cuda
