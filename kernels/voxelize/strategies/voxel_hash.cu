// Implements the hash table of voxels, and voxelizes with it (strategy `hash`).
#include "kernels/voxelize/strategies/cuda_voxel_hash.cuh"
#include "kernels/voxelize/strategies/sorted_keys.cuh"

namespace scanloupe::cuda {

namespace {

constexpr std::uint32_t kMaxSlots = 1u << 31;

/// Adds points to the sums of their voxels.
/// @param pending [threads] receives, for each thread, a bit per point that found no slot
/// @param onlyPending adds only the points whose bits are set in `pending`
template <int K, SumLayout Layout>
__global__ void __launch_bounds__(kBlockSize)
    insertPoints(PointsIn in, DeviceCells cells, KeyHashTable table, Sums sums, std::uint8_t* pending,
                 bool onlyPending, Counts* counts) {
    const std::size_t index = globalIndex();
    const PointGroup<K> group = loadPoints<K>(in.positions, in.count, index);
    const PreloadedFeatures<Layout, K> preloaded(in, sums.features, index * K, group.count);
    const PointKeys<std::uint64_t, K> keys(cells, group);
    std::uint32_t voxels[K];
    const unsigned wanted = onlyPending && group.count > 0 ? pending[index] : 0xffu;
    unsigned notFinite = 0, full = 0;
#pragma unroll
    for (int k = 0; k < K; ++k) {
        voxels[k] = kNoVoxel;
        if (k >= group.count || !(wanted >> k & 1u))
            continue;
        if (keys.keys[k] == kEmptyKey) {
            notFinite += !isFinite(group.points[k]);
            continue;
        }
        const bool asBefore =
            k > 0 && keys.keys[k] == keys.keys[k > 0 ? k - 1 : 0] && (wanted >> (k - 1) & 1u);
        voxels[k] = asBefore ? voxels[k > 0 ? k - 1 : 0] : table.insert(keys.keys[k]);
        full |= (voxels[k] == kNoSlot ? 1u : 0u) << k;
    }
    static_assert(kNoSlot == kNoVoxel); // so points without a slot are not summed
    if (group.count > 0)
        pending[index] = static_cast<std::uint8_t>(full);
    addGroup(preloaded, sums, cells.cells, in, index * K, group, keys.cells, voxels, counts);
    countInWarp(&counts->notFinite, notFinite);
    countInWarp(&counts->tableFull, static_cast<unsigned>(__popc(full)));
}

__global__ void rehashVoxels(KeyHashTable from, Sums oldSums, KeyHashTable to, Sums newSums) {
    const std::size_t slot = globalIndex();
    if (slot > from.mask || from.keys[slot] == kEmptyKey)
        return;
    // always succeeds, since the new table is four times as large
    const std::size_t place = to.insert(from.keys[slot], to.mask);
    oldSums.copyTo(slot, newSums, place);
}

/// Lists the occupied slots and their keys, in arbitrary order.
__global__ void listSlots(KeyHashTable table, std::uint64_t* keys, std::uint32_t* slots, Counts* counts) {
    const std::size_t slot = globalIndex();
    const bool occupied = slot <= table.mask && table.keys[slot] != kEmptyKey;
    const unsigned lanes = __ballot_sync(kFullWarp, occupied);
    Count first = 0;
    if (threadIdx.x % 32 == 0 && lanes != 0)
        first = atomicAdd(&counts->voxels, static_cast<Count>(__popc(lanes)));
    first = __shfl_sync(kFullWarp, first, 0);
    if (!occupied || !keys)
        return;
    const std::size_t place = first + static_cast<unsigned>(__popc(lanes & ((1u << threadIdx.x % 32) - 1)));
    keys[place] = table.keys[slot];
    slots[place] = static_cast<std::uint32_t>(slot);
}

/// Counts the points of the voxels from index `kept` on.
__global__ void countDropped(Sums sums, const std::uint32_t* slots, std::size_t kept, std::size_t found,
                             Counts* counts) {
    const std::size_t i = kept + globalIndex();
    countInWarp(&counts->inDroppedVoxels, i < found ? sums.read(slots[i]).count : 0u);
}

__global__ void lookUpPoints(const Vec3f* positions, std::size_t n, DeviceCells cells, KeyHashTable table,
                             const std::uint32_t* places, std::size_t kept, std::uint32_t* pointVoxel) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    const Vec3f p = positions[i];
    const std::uint32_t place =
        cells.contains(p) ? places[table.find(cells.cells.shape.key(cells.cell(p)))] : kNoVoxel;
    pointVoxel[i] = place < kept ? place : kNoVoxel;
}

} // namespace

VoxelHashTable::VoxelHashTable(const Job& job, std::uint32_t slots)
    : m_job(job), m_counts(job.zeros<Counts>(1)) {
    allocate(slots);
}

void VoxelHashTable::allocate(std::uint32_t slots) {
    m_keys = m_job.buffer<Count>(slots);
    m_job.fill(m_keys, 0xff);
    const SumLayout layout = safeLayout(m_job); // a safe layout, since each point is read only once and
                                                // cannot be summed again
    m_words = m_job.zeros<Count>(std::size_t{slots} * static_cast<std::size_t>(wordsOf(layout)));
    m_table = {m_keys.data(), slots - 1};
    m_sums = sumsOf(m_job, layout, m_words);
}

void VoxelHashTable::grow() {
    if (std::uint64_t{slots()} * 4 > kMaxSlots)
        throw KernelError("the points occupy more voxels than a hash table of " + std::to_string(kMaxSlots) +
                              " slots can store",
                          "Use a larger voxel size or a smaller range.");
    const KeyHashTable oldTable = m_table;
    const Sums oldSums = m_sums;
    // keep the old memory until the kernel is queued
    const auto oldKeys = std::move(m_keys), oldWords = std::move(m_words);
    allocate(slots() * 4);
    launch("rehashVoxels", std::size_t{oldTable.mask} + 1, m_job.stream, rehashVoxels, oldTable, oldSums,
           m_table, m_sums);
}

void VoxelHashTable::add(const PointsIn& in) {
    const StreamView stream = m_job.stream;
    if (m_pending.size() < in.count)
        m_pending = m_job.buffer<std::uint8_t>(in.count);
    for (bool onlyPending = false;; onlyPending = true) {
        withPointsPerThread(in.count, [&](auto perThread) {
            withLayout(m_sums.layout, [&](auto layout) {
                launch("insertPoints", threadsFor(in.count, perThread), stream,
                       insertPoints<decltype(perThread)::value, decltype(layout)::value>, in,
                       DeviceCells(m_job.cells), m_table, m_sums, m_pending.data(), onlyPending,
                       m_counts.data());
            });
        });
        Counts counts = m_job.read(m_counts);
        m_job.throwIfStopped();
        if (counts.tableFull == 0)
            return;
        grow();
        counts.tableFull = 0;
        detail::copyBytes(m_counts.data(), MemorySpace::device, &counts, MemorySpace::host, sizeof counts,
                          stream);
        stream.synchronize(); // `counts` is destroyed on return
    }
}

Counts VoxelHashTable::finish(VoxelGrid& grid) {
    const StreamView stream = m_job.stream;
    const std::size_t all = slots();
    launch("listSlots", all, stream, listSlots, m_table, nullptr, nullptr, m_counts.data());
    const std::size_t voxels = m_job.read(m_counts).voxels;
    auto keys = m_job.buffer<std::uint64_t>(voxels);
    auto order = m_job.buffer<std::uint32_t>(voxels);
    Counts* const counts = m_counts.data();
    check(cudaMemsetAsync(&counts->voxels, 0, sizeof(Count), ownStream(stream)), "cudaMemsetAsync");
    launch("listSlots", all, stream, listSlots, m_table, keys.data(), order.data(), counts);
    sortByKey(m_job, grid.shape.cellCount(), keys, order);
    m_places = m_job.buffer<std::uint32_t>(all);
    invertPermutation(order, m_places, stream);

    m_kept = m_job.kept(voxels);
    const VoxelsOut out = makeOutput(m_job, m_kept, grid);
    detail::copyBytes(out.keys, MemorySpace::device, keys.data(), MemorySpace::device,
                      m_kept * sizeof(std::uint64_t), stream);
    launch("countDropped", voxels - m_kept, stream, countDropped, m_sums, order.data(), m_kept, voxels,
           counts);
    finishVoxels(m_sums, order.data(), m_kept, m_job.cells, out, counts, stream);
    return m_job.read(m_counts);
}

void VoxelHashTable::lookUp(const PointsIn& in, std::uint32_t* pointVoxel) const {
    launch("lookUpPoints", in.count, m_job.stream, lookUpPoints, in.positions, in.count,
           DeviceCells(m_job.cells), m_table, m_places.data(), m_kept, pointVoxel);
}

void voxelizeByHash(const Job& job, VoxelGrid& grid) {
    constexpr std::uint32_t maxInitialSlots = 1u << 22;
    const PointsIn in = pointsIn(job);
    VoxelHashTable table(job, initialSlots(job.points.count, maxInitialSlots));
    table.add(in);
    Counts found = table.finish(grid);
    const bool moreFeatures = job.scales.size() > kFusedFeatures;
    // The table also contains dropped voxels, whose non-finite values must not be counted.
    const bool again = found.featuresNotFinite > 0 && found.voxels > grid.size();
    const bool needed = moreFeatures || again;
    auto own = job.buffer<std::uint32_t>(needed && !job.params.pointVoxels ? job.points.count : 0);
    std::uint32_t* pointVoxel = job.params.pointVoxels ? grid.pointVoxel.data() : own.data();
    if (job.params.pointVoxels || needed)
        table.lookUp(in, pointVoxel);
    if (again)
        found.featuresNotFinite = countNotFinite(job, pointVoxel, grid.size());
    if (moreFeatures)
        found.featuresNotFinite += averageMoreFeatures(job, pointVoxel, grid);
    fillStats(job, found, grid.size(), grid);
}

} // namespace scanloupe::cuda
