#pragma once
// A mesh by its clusters.
#include "kernels/raster/cuda_triangles.cuh"
#include "kernels/raster/triangle_cluster_cell.h"

namespace scanloupe::cuda {

/// What a warp keeps of the cluster that it looks at.
struct alignas(16) ClusterScratch {
    std::uint32_t corners[kClusterVertices]; ///< on its grid
    std::uint32_t triangles[kClusterRoom];
    std::uint8_t listed[kClusterRoom]; ///< triangles that may hold a centre
};
/// What a warp needs for clusters; in shared memory.
struct alignas(16) ClusterSlots {
    TriangleSlots triangles;
    ClusterGrid grids[32]; ///< of the lanes' clusters
    std::uint32_t list[WarpList::roomFor(kClusterRoom / 32)];

    /// Where nothing is drawn meanwhile.
    __device__ ClusterScratch& scratch() {
        static_assert(sizeof(ClusterScratch) <= sizeof(SmallTriangles));
        return reinterpret_cast<ClusterScratch&>(triangles.small);
    }
};

/// A warp's clusters, from all over the mesh, since clusters that lie together are seen together.
class ClusterFinder {
public:
    __device__ ClusterFinder(const RasterWork& work, ClusterSlots& slots)
        : m_work(work), m_slots(slots), m_warps(gridDim.x * kWarps),
          m_next(blockIdx.x * kWarps + threadIdx.x / 32) {}

    /// Lists those of one more cluster that may be seen, up to four a lane, by their places in the clusters'
    /// order.
    /// @returns false when there was none. All lanes have to call it.
    __device__ bool next(WarpList& list) {
        if (m_onGrid == 0 && m_oneByOne == 0) {
            if (m_next >= m_work.clusters)
                return false;
            place();
        }
        if (m_onGrid != 0) {
            const unsigned lane = static_cast<unsigned>(__ffs(static_cast<int>(m_onGrid))) - 1;
            m_onGrid &= m_onGrid - 1;
            if (m_onGrid != 0)
                askForNext();
            lookOnGrid(list, m_base + lane * m_warps, lane);
        } else if (m_oneByOne != 0) {
            lookOneByOne(list,
                         m_base + (static_cast<unsigned>(__ffs(static_cast<int>(m_oneByOne))) - 1) * m_warps);
        }
        return true;
    }

private:
    /// A cluster a lane.
    __device__ void place() {
        m_base = m_next;
        m_next += 32 * m_warps;
        const std::uint32_t mine = m_base + laneIndex() * m_warps;
        auto fate = ClusterFate::hidden;
        __syncwarp(); // the grids before have been read
        if (mine < m_work.clusters) {
            ClusterGrid grid;
            fate =
                placeCluster(m_work.view(), m_work.fast, m_work.clusterHeads[mine], m_work.backFaces, grid);
            if (fate == ClusterFate::onGrid)
                m_slots.grids[laneIndex()] = grid;
        }
        m_onGrid = __ballot_sync(kAllLanes, fate == ClusterFate::onGrid);
        m_oneByOne = __ballot_sync(kAllLanes, fate == ClusterFate::oneByOne);
        __syncwarp();
    }

    /// Has L2 read the next cluster on a grid.
    __device__ void askForNext() const {
        constexpr unsigned line = 32, lines = kClusterRoom / line; // words
        const unsigned slot = static_cast<unsigned>(__ffs(static_cast<int>(m_onGrid))) - 1;
        const ClusterGrid& grid = m_slots.grids[slot];
        const unsigned part = laneIndex() % lines * line;
        if (laneIndex() < lines)
            readAhead(m_work.clusterTriangles + std::size_t{m_base + slot * m_warps} * kClusterRoom + part);
        else if (laneIndex() < 2 * lines && part < grid.size)
            readAhead(m_work.clusterVertices + grid.first + part);
    }
    __device__ static void readAhead(const std::uint32_t* line) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
    }

    __device__ void lookOnGrid(WarpList& list, std::uint32_t cluster, unsigned slot) {
        const ClusterGrid grid = m_slots.grids[slot];
        const ClusterDecode decode = clusterDecode(grid.bits);
        ClusterScratch& scratch = m_slots.scratch();
        const unsigned lane = laneIndex();
        const std::size_t words = std::size_t{cluster} * kClusterRoom;
        const uint4 four = __ldcs(reinterpret_cast<const uint4*>(m_work.clusterTriangles + words) + lane);
        const auto* const vertices = reinterpret_cast<const uint4*>(m_work.clusterVertices + grid.first);
        const auto rotated = [](std::uint32_t word, std::uint32_t bits) {
            return __funnelshift_l(word, word, bits);
        };
        for (std::uint32_t i = lane; 4 * i < grid.size; i += 32) {
            const uint4 v = __ldcs(vertices + i);
            const auto at = [&](std::uint32_t vertex) {
                return gridCorner(grid, decode, vertex, QuickReciprocal{}, rotated);
            };
            reinterpret_cast<uint4*>(scratch.corners)[i] = {at(v.x), at(v.y), at(v.z), at(v.w)};
        }
        reinterpret_cast<uint4*>(scratch.triangles)[lane] = four;
        __syncwarp();
        const std::uint32_t first = cluster * kClusterTriangles, // the last cluster may have fewer
            count = ::min(kClusterTriangles, m_work.scene.triangles - first);
        const std::uint32_t triangles[4] = {four.x, four.y, four.z, four.w};
        unsigned listed = 0;
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) {
            const std::uint32_t a = corner(triangles[k]), b = corner(triangles[k] >> 8),
                                c = corner(triangles[k] >> 16);
            const bool may =
                4 * lane + k < count && mayHoldCentre(grid, __vimin3_u16x2(a, b, c), __vimax3_u16x2(a, b, c));
            const unsigned which = __ballot_sync(kAllLanes, may);
            if (may)
                scratch.listed[listed + static_cast<unsigned>(__popc(which & lanesBefore()))] =
                    static_cast<std::uint8_t>(4 * lane + k);
            listed += static_cast<unsigned>(__popc(which));
        }
        __syncwarp();
        for (unsigned done = 0; done < listed; done += 32) { // in full warps
            std::uint32_t place = 0;
            bool seen = false;
            if (done + lane < listed) {
                place = scratch.listed[done + lane];
                const std::uint32_t places = scratch.triangles[place];
                seen = !isSurelyInvisible(grid, corner(places), corner(places >> 8), corner(places >> 16),
                                          m_work.backFaces);
            }
            list.add(seen, first + place);
        }
        __syncwarp(); // all of it has been read
    }
    __device__ std::uint32_t corner(std::uint32_t place) const {
        return m_slots.scratch().corners[place & 0xff];
    }

    /// A warp's worth of a cluster's triangles.
    __device__ void lookOneByOne(WarpList& list, std::uint32_t cluster) {
        const std::uint32_t place = m_done + laneIndex(), item = cluster * kClusterTriangles + place;
        list.add(place < kClusterTriangles && item < m_work.scene.triangles &&
                     mayBeSeen(m_work, m_work.clusterOrder[item]),
                 item);
        m_done += 32;
        if (m_done < kClusterTriangles)
            return;
        m_done = 0;
        m_oneByOne &= m_oneByOne - 1;
    }

    const RasterWork& m_work;
    ClusterSlots& m_slots;
    std::uint32_t m_warps, m_next, m_base = 0;
    unsigned m_onGrid = 0, m_oneByOne = 0; // lanes whose clusters have to be looked at
    std::uint32_t m_done = 0;              // triangles of the first of the latter
};

/// All clusters, for any number of blocks.
template <class Pixels>
__device__ void drawClusters(const RasterWork& work, ClusterSlots& slots) {
    const Pixels pixels(work);
    WarpList list(slots.list);
    ClusterFinder find(work, slots);
    unsigned notFinite = 0;
    for (bool more = true; more;) {
        more = find.next(list);
        while (list.isFull() || (!more && !list.isEmpty())) {
            waitForEarlierWork(); // the picture is cleared
            std::uint32_t place;
            const bool listed = list.take(place);
            const std::uint32_t triangle = listed ? work.clusterOrder[place] : 0;
            const TriangleIndices index = loadIndices(work, triangle);
            notFinite +=
                drawListed<ProjectedVertices>(work, pixels, slots.triangles, listed, triangle, index) ? 1 : 0;
        }
    }
    waitForEarlierWork();
    addOverWarp(&work.counts->notFinite, notFinite);
}

} // namespace scanloupe::cuda
