#pragma once
// Draws a mesh by its triangle clusters: frustum and back-face culling of clusters (after Karis et al.,
// Nanite, 2021), then culling of their triangles in integers.
#include "kernels/raster/clusters/triangle_cluster_grid.h"
#include "kernels/raster/clusters/triangle_clusters.h"
#include "kernels/raster/triangles/cuda_triangles.cuh"

namespace scanloupe::cuda {

/// Number of slots that are tested at a time, two per lane: enough for a whole cluster if most of its
/// triangles are paired.
inline constexpr unsigned kSlotsAtOnce = 64;
inline constexpr unsigned kVerticesAtOnce = 3; ///< vertices that each lane processes at a time; together they
                                               ///< suffice for most clusters

/// Vertices of the cluster that a warp tests, and the overflow of the list of waiting pairs.
struct alignas(16) ClusterScratch {
    std::uint32_t corners[kClusterVertices]; ///< [vertices] x and y on the cluster's grid, see gridCorner()
    uint4 moreCorners[32];                   ///< corners of the waiting pairs after the first 32
    std::uint16_t moreSlots[32];
};
/// Shared memory of a warp that draws clusters.
struct alignas(16) ClusterSlots {
    TriangleSlots triangles;
    ClusterGrid grids[32]; ///< grids of the lanes' clusters
    uint4 corners[32];     ///< corners of the first 32 waiting pairs, which may contain a pixel centre; each
                           ///< triangle is still to be tested
    std::uint16_t slots[32]; ///< slots of the waiting pairs: the slot in the cluster, and its lane from bit 8
                             ///< on
    /// triangles to draw, as positions in clusterOrder
    std::uint32_t list[WarpList::capacityFor(kSlotsAtOnce / 16)];
    std::uint32_t seen[WarpList::kCapacity]; ///< list of clusters that were not culled

    /// Returns scratch memory that overlaps `triangles.small`: valid only while nothing is drawn.
    __device__ ClusterScratch& scratch() {
        static_assert(sizeof(ClusterScratch) <= sizeof(SmallTriangles));
        return reinterpret_cast<ClusterScratch&>(triangles.small);
    }
};

static_assert(sizeof(ClusterSlots) * kWarps <= 48 * 1024, "what a block may have without asking for more");

/// Device intrinsics for gridCorner(), in the fewest instructions.
struct GridIntrinsics {
    __device__ static float reciprocal(float v) { return ApproximateReciprocal{}(v); }
    __device__ static float one(std::uint32_t word, std::uint32_t left, std::uint32_t mask) {
        std::uint32_t bits;
        asm("lop3.b32 %0, %1, %2, %3, 0xea;" // computes (1 and 2) or 3
            : "=r"(bits)
            : "r"(__funnelshift_l(word, word, left)), "r"(mask), "r"(0x3f800000u));
        return __uint_as_float(bits);
    }
    __device__ static std::uint32_t packed(std::uint32_t x, std::uint32_t y) {
        return __byte_perm(x, y, 0x5410);
    }
};

/// Finds triangles that may be visible. The clusters of a warp are spread over the mesh to balance the load,
/// since neighbouring clusters are usually visible together.
class ClusterFinder {
public:
    __device__ ClusterFinder(const RasterWork& work, ClusterSlots& slots)
        : m_work(work), m_slots(slots), m_list(slots.list), m_seen(slots.seen), m_warps(gridDim.x * kWarps),
          m_next(blockIdx.x * kWarps + threadIdx.x / 32) {}

    /// Tests more triangles, up to four per lane at a time, until a full warp of them may be visible. Must be
    /// called by all lanes.
    __device__ void find() {
        while (m_more && !m_list.isFull()) {
            if (m_onGrid == 0 && m_perTriangle != 0)
                testPerTriangle();
            else if (m_onGrid != 0 || m_waiting != 0)
                testOnGrid();
            else
                m_more = nextClusters() ? 1 : 0;
        }
    }
    /// Pops up to 32 of the triangles found, each as its position in clusterOrder. Must be called by all
    /// lanes.
    /// @param place receives this lane's triangle
    /// @returns whether this lane got a triangle
    __device__ bool pop(std::uint32_t& place) { return m_list.pop(place); }
    /// Returns false if all clusters have been tested, and all triangles found have been popped.
    __device__ bool hasMore() const { return m_more || !m_list.isEmpty(); }

    /// Calls keep(value) for each member whose value changes, for LocalMemorySpill.
    template <class Keep>
    __device__ void forEachValue(Keep&& keep) {
        keep(m_next), keep(m_onGrid), keep(m_perTriangle), keep(m_done), keep(m_waiting), keep(m_more);
        keep(m_list.count()), keep(m_seen.count());
        keep(m_pairs.x), keep(m_pairs.y);
        for (std::uint32_t& vertex : m_vertices)
            keep(vertex);
    }
    static constexpr unsigned kValues = 10 + kVerticesAtOnce;

private:
    __device__ static unsigned firstOf(unsigned lanes) {
        return static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1;
    }

    /// Classifies the next clusters that were not culled, up to one per lane. @returns false if none was left
    __device__ bool nextClusters() {
        while (m_next < m_work.clusters && !m_seen.isFull()) {
            const std::uint32_t mine = m_next + laneIndex() * m_warps, ahead = mine + 32 * m_warps;
            m_next += 32 * m_warps;
            if (ahead < m_work.clusters)
                readAhead(m_work.clusterHeads + ahead);
            const bool seen = mine < m_work.clusters &&
                              !isClusterCulled(m_work.view(), m_work.cull, loadHead(mine), m_work.backFaces);
            m_seen.add(seen, mine);
        }
        if (m_seen.isEmpty())
            return false;
        std::uint32_t mine;
        auto visibility = ClusterVisibility::culled;
        if (m_seen.pop(mine)) {
            ClusterGrid grid;
            visibility = classifyCluster(m_work.view(), m_work.cull, loadHead(mine), grid);
            grid.cluster = mine;
            if (visibility == ClusterVisibility::onGrid)
                m_slots.grids[laneIndex()] = grid;
            else
                m_slots.grids[laneIndex()].cluster = mine;
        }
        m_onGrid = __ballot_sync(kAllLanes, visibility == ClusterVisibility::onGrid);
        m_perTriangle = __ballot_sync(kAllLanes, visibility == ClusterVisibility::perTriangle);
        __syncwarp();
        if (m_onGrid != 0)
            loadWords();
        return true;
    }
    /// Loads the whole head in one access, even if the caller reads a single field first.
    __device__ ClusterHead loadHead(std::uint32_t cluster) const {
        struct {
            uint4 parts[sizeof(ClusterHead) / sizeof(uint4)];
        } head;
        const auto* const from = reinterpret_cast<const uint4*>(m_work.clusterHeads + cluster);
        for (unsigned i = 0; i < sizeof head / sizeof(uint4); ++i) {
            uint4& part = head.parts[i];
            asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(part.x), "=r"(part.y), "=r"(part.z), "=r"(part.w)
                         : "l"(from + i));
        }
        return std::bit_cast<ClusterHead>(head);
    }
    /// Prefetches an address into the L2 cache.
    __device__ static void readAhead(const void* there) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(there));
    }

    /// Loads the lane's words for the next slots and vertices. Words after the cluster's end are meaningless.
    __device__ void loadWords() {
        const ClusterGrid& grid = m_slots.grids[firstOf(m_onGrid)];
        const std::uint32_t first = grid.first + laneIndex(), pairs = first + m_done + laneIndex(),
                            vertices = first + verticesAfter(grid.slotCount); // all indices are below 2^32
        m_pairs = __ldcs(reinterpret_cast<const uint2*>(m_work.clusterWords + pairs));
#pragma unroll
        for (unsigned i = 0; i < kVerticesAtOnce; ++i)
            m_vertices[i] = __ldcs(m_work.clusterWords + vertices + 32 * i);
    }
    /// Tests the next slots of the first cluster that has a grid. If no cluster has a grid, tests the waiting
    /// pairs.
    __device__ void testOnGrid() {
        const bool has = m_onGrid != 0;
        const unsigned of = has ? firstOf(m_onGrid) : 0;
        const ClusterGrid grid = m_slots.grids[of];
        const std::uint32_t slot = m_done + 2 * laneIndex();
        const uint2 pairs = m_pairs;
        if (has) {
            placeVertices(grid);
            m_done += kSlotsAtOnce;
            if (m_done >= grid.slotCount) {
                m_done = 0;
                m_onGrid &= m_onGrid - 1;
            }
            if (m_onGrid != 0)
                loadWords(); // loads the words for the next call early
        }
        __syncwarp();
#pragma unroll 1 // not unrolled: the long branches are rarely taken
        for (unsigned k = 0; k < 2; ++k) {
            if (has)
                addPair(grid, slot + k < grid.slotCount, k == 0 ? pairs.x : pairs.y, of << 8 | (slot + k));
            if (m_waiting >= 32 || (!has && m_waiting != 0))
                testWaitingPairs();
        }
        __syncwarp(); // all lanes have read the corners
    }
    __device__ void placeVertices(const ClusterGrid& grid) {
        const auto place = [&](std::uint32_t at, std::uint32_t vertex) {
            m_slots.scratch().corners[at] = gridCorner(grid, vertex, GridIntrinsics{});
        };
#pragma unroll
        for (unsigned i = 0; i < kVerticesAtOnce; ++i)
            place(32 * i + laneIndex(), m_vertices[i]); // the shared memory has unused space after the last
                                                        // vertex
        const std::uint32_t* const vertices =
            m_work.clusterWords + grid.first + verticesAfter(grid.slotCount);
#pragma unroll 1
        for (std::uint32_t at = 32 * kVerticesAtOnce + laneIndex(); at < grid.vertices; at += 32)
            place(at, __ldcs(vertices + at));
    }
    /// Queues the lane's pair of triangles if it may contain a pixel centre.
    __device__ void addPair(const ClusterGrid& grid, bool has, std::uint32_t word, unsigned name) {
        const ClusterPair pair = clusterPair(word); // masked to 8 bits, so that even meaningless words give
                                                    // valid indices
        const std::uint32_t* const corners = m_slots.scratch().corners;
        const std::uint32_t a = corners[pair.a], b = corners[pair.b], c = corners[pair.c],
                            d = corners[pair.d];
        const bool may = static_cast<bool>(has & mayHoldCentre(grid, __vminu2(__vimin3_u16x2(a, b, c), d),
                                                               __vmaxu2(__vimax3_u16x2(a, b, c), d)));
        const unsigned which = __ballot_sync(kAllLanes, may);
        if (may) {
            unsigned before; // mask of the lower lanes, in one instruction
            asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
            const unsigned place = m_waiting + static_cast<unsigned>(__popc(which & before));
            *waitingCorners(place) = {a, b, c, d};
            *waitingSlot(place) = static_cast<std::uint16_t>(name);
        }
        m_waiting += static_cast<unsigned>(__popc(which));
    }
    __device__ uint4* waitingCorners(unsigned place) const {
        return place < 32 ? m_slots.corners + place : m_slots.scratch().moreCorners + (place - 32);
    }
    __device__ std::uint16_t* waitingSlot(unsigned place) const {
        return place < 32 ? m_slots.slots + place : m_slots.scratch().moreSlots + (place - 32);
    }
    /// Tests the triangles of up to 32 waiting pairs, so that fewer than 32 pairs remain.
    __device__ void testWaitingPairs() {
        __syncwarp(); // all lanes see the pairs
        const unsigned count = ::min(m_waiting, 32u);
        m_waiting -= count;
        bool first = false, second = false;
        std::uint32_t item = 0;
        if (laneIndex() < count) {
            const unsigned place = m_waiting + laneIndex(), name = *waitingSlot(place), slot = name & 0xff;
            const uint4 at = *waitingCorners(place);
            const ClusterGrid& grid = m_slots.grids[name >> 8];
            item = grid.cluster * kClusterTriangles + placeOfSlot(slot, grid.pairs);
            first = !isConservativelyCulled(grid, at.x, at.y, at.z, m_work.backFaces);
            second = slot < grid.pairs && !isConservativelyCulled(grid, at.w, at.z, at.y, m_work.backFaces);
        }
        m_list.add(first, item);
        m_list.add(second, item + 1);
        __syncwarp(); // all lanes have read the pairs
    }

    /// Tests 32 triangles of the first cluster without a grid.
    __device__ void testPerTriangle() {
        const std::uint32_t place = m_done + laneIndex(),
                            item = m_slots.grids[firstOf(m_perTriangle)].cluster * kClusterTriangles + place;
        const bool has = place < kClusterTriangles && item < m_work.scene.triangles;
        m_list.add(has && mayBeSeen(m_work, m_work.clusterOrder[item]), item);
        m_done += 32;
        if (m_done < kClusterTriangles)
            return;
        m_done = 0;
        m_perTriangle &= m_perTriangle - 1;
    }

    const RasterWork& m_work;
    ClusterSlots& m_slots;
    WarpList m_list; // list of triangles that may be visible
    WarpList m_seen; // list of clusters that were not culled
    std::uint32_t m_warps, m_next;
    unsigned m_onGrid = 0, m_perTriangle = 0; // masks of the lanes whose clusters must be tested with a grid,
                                              // and without a grid
    std::uint32_t m_done = 0; // number of slots or triangles of the first of these clusters that have been
                              // tested
    unsigned m_waiting = 0;   // number of waiting pairs
    std::uint32_t m_more = 1; // 0 when all clusters have been tested
    uint2 m_pairs{};          // words that loadWords() has loaded for this lane
    std::uint32_t m_vertices[kVerticesAtOnce]{};
};

/// Moves an object's values to local memory in its constructor, and back in its destructor. Without this, a
/// compiler that runs short of registers would keep the values in local memory throughout, and each use would
/// wait for it.
template <class T>
class LocalMemorySpill {
public:
    __device__ explicit LocalMemorySpill(T& of) : m_of(of) {
        unsigned i = 0;
        m_of.forEachValue([&](std::uint32_t& value) { m_kept[i++] = value; });
    }
    __device__ ~LocalMemorySpill() {
        unsigned i = 0;
        m_of.forEachValue([&](std::uint32_t& value) { value = m_kept[i++]; });
    }
    LocalMemorySpill(const LocalMemorySpill&) = delete;
    LocalMemorySpill& operator=(const LocalMemorySpill&) = delete;

private:
    T& m_of;
    volatile std::uint32_t m_kept[T::kValues];
};

/// Draws all clusters. Correct for any number of blocks.
__device__ inline void drawClusters(const RasterWork& work, ClusterSlots& slots) {
    const Pixels pixels(work);
    ClusterFinder finder(work, slots);
    unsigned notFinite = 0;
    while (finder.hasMore()) {
        finder.find();
        syncGridDependency(); // waits until the picture has been cleared
        std::uint32_t place;
        const bool listed = finder.pop(place);
        const std::uint32_t triangle = listed ? work.clusterOrder[place] : 0;
        const LocalMemorySpill<ClusterFinder> spill(finder); // frees registers for drawing
        const TriangleIndices index = loadIndices(work, triangle);
        notFinite +=
            drawListed<ProjectedVertices>(work, pixels, slots.triangles, listed, triangle, index) ? 1 : 0;
    }
    syncGridDependency();
    addOverWarp(&work.counts->notFinite, notFinite);
}

} // namespace scanloupe::cuda
