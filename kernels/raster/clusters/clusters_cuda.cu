// Builds triangle clusters on the device, with one thread block per cluster (after Karis et al., Nanite,
// 2021).
#include "kernels/core/cuda_cub.cuh"
#include "kernels/raster/clusters/cuda_triangle_order.cuh"
#include "kernels/raster/clusters/triangle_cluster_element.h"
#include "kernels/raster/core/cuda_warp.cuh"
#include "kernels/raster/core/raster_checks.h"

#include <cub/device/device_scan.cuh>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kThreads = 128, kBlockWarps = kThreads / 32; ///< one thread per triangle
static_assert(kThreads >= kClusterTriangles);
constexpr std::uint32_t kTable = 1024; // number of slots of the hash table; a cluster has at most 378
                                       // vertices, and at most as many edges
/// Number of matching rounds. Each round pairs triangles that are mutually best partners across their longest
/// edges.
constexpr int kMatchingRounds = 8;
constexpr std::uint32_t kNone = 0xffffffffu;

struct ClusterShared {
    std::uint32_t keys[kTable], corners[kTable];
    /// partner that each triangle proposes, and partner that it is matched with; kNone: no partner
    unsigned proposals[kThreads], matches[kThreads];
    unsigned counts[kBlockWarps];
    float parts[kBlockWarps][3];
};

/// Reduces three values over the block, in a fixed order. Must be called by all threads.
template <class Combine>
__device__ Vec3f reduceOverBlock(ClusterShared& shared, Vec3f v, Combine&& combine) {
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        const Vec3f other{__shfl_xor_sync(kAllLanes, v.x, lanes), __shfl_xor_sync(kAllLanes, v.y, lanes),
                          __shfl_xor_sync(kAllLanes, v.z, lanes)};
        v = combine(v, other);
    }
    __syncthreads(); // all threads have read the previous contents
    if (laneIndex() == 0)
        for (int k = 0; k < 3; ++k)
            shared.parts[threadIdx.x / 32][k] = v[k];
    __syncthreads();
    Vec3f all{shared.parts[0][0], shared.parts[0][1], shared.parts[0][2]};
    for (unsigned warp = 1; warp < kBlockWarps; ++warp)
        all = combine(all, Vec3f{shared.parts[warp][0], shared.parts[warp][1], shared.parts[warp][2]});
    return all;
}

/// Empties the table. Must be called by all threads.
__device__ void clearTable(ClusterShared& shared) {
    __syncthreads(); // all threads have read the previous contents
    for (unsigned i = threadIdx.x; i < kTable; i += kThreads)
        shared.keys[i] = shared.corners[i] = kNone;
    __syncthreads();
}
__device__ std::uint32_t hashSlot(std::uint32_t key) {
    return key * 2654435769u >> 22; // Knuth's multiplicative hash
}
/// Inserts a vertex or an edge into the hash table, and keeps its lowest corner. @returns its slot
__device__ std::uint32_t insert(ClusterShared& shared, std::uint32_t key, std::uint32_t corner) {
    std::uint32_t place = hashSlot(key);
    for (;; place = (place + 1) % kTable) {
        const std::uint32_t there = atomicCAS(&shared.keys[place], kNone, key);
        if (there == kNone || there == key)
            break;
    }
    atomicMin(&shared.corners[place], corner);
    return place;
}
/// Returns the lowest corner of a key in the table, or kNone.
__device__ std::uint32_t cornerOf(const ClusterShared& shared, std::uint32_t key) {
    for (std::uint32_t place = hashSlot(key);; place = (place + 1) % kTable)
        if (const std::uint32_t there = shared.keys[place]; there == key || there == kNone)
            return shared.corners[place]; // kNone if the key is absent
}

/// Computes an exclusive prefix sum over the block; `all` receives the total. Must be called by all threads.
__device__ unsigned exclusiveSum(ClusterShared& shared, unsigned value, unsigned& all) {
    const unsigned upToMe = inclusiveSum(value);
    __syncthreads(); // all threads have read the previous contents
    if (laneIndex() == 31)
        shared.counts[threadIdx.x / 32] = upToMe;
    __syncthreads();
    unsigned before = upToMe - value;
    all = 0;
    for (unsigned warp = 0; warp < kBlockWarps; ++warp) {
        before += warp < threadIdx.x / 32 ? shared.counts[warp] : 0;
        all += shared.counts[warp];
    }
    return before;
}

/// Numbers the block's vertices in the order of their lowest corners. Must be called by all threads.
/// @param has whether this thread has a triangle
/// @param place slots of this triangle's corners in the hash table
/// @param local receives the numbers of this triangle's vertices
/// @returns the number of vertices of the block
__device__ unsigned numberVertices(ClusterShared& shared, bool has, const std::uint32_t (&place)[3],
                                   std::uint32_t (&local)[3]) {
    bool first[3];
    unsigned mine = 0;
    __syncthreads();
    for (unsigned k = 0; k < 3; ++k) {
        first[k] = has && shared.corners[place[k]] == 3 * threadIdx.x + k;
        mine += first[k] ? 1 : 0;
    }
    unsigned all, next = exclusiveSum(shared, mine, all);
    for (unsigned k = 0; k < 3; ++k)
        if (first[k])
            shared.keys[place[k]] = next++;
    __syncthreads();
    for (unsigned k = 0; k < 3; ++k)
        local[k] = has ? shared.keys[place[k]] : 0;
    return all;
}

/// Packs a triangle into a word: from the lowest bit on, the numbers of its three vertices in the cluster, 8
/// bits each; then `edge`, the corner at which the shared edge begins if the triangle is the first of a pair.
__device__ std::uint32_t triangleWord(const std::uint32_t (&local)[3], unsigned edge) {
    return local[0] | local[1] << 8 | local[2] << 16 | edge << 24;
}
__device__ std::uint32_t placeIn(std::uint32_t triangleWord, unsigned corner) {
    return triangleWord >> (8 * (corner % 3)) & 0xff;
}
/// Returns the vertex of `second` that is not on the edge that it shares with `first`.
__device__ std::uint32_t beyondEdge(std::uint32_t first, std::uint32_t second) {
    const unsigned edge = first >> 24;
    const std::uint32_t from = placeIn(first, edge + 1), to = placeIn(first, edge);
    unsigned k = 0;
    while (k < 2 && !(placeIn(second, k) == from && placeIn(second, k + 1) == to))
        ++k;
    return placeIn(second, k + 2);
}

/// Pairs triangles that share an edge, the longest edges first. Must be called by all threads.
/// @param local indices of the corners among the cluster's vertices
/// @param edge receives the corner at which the shared edge begins
/// @returns the other triangle, or kNone
__device__ unsigned matchOf(ClusterShared& shared, bool has, const std::uint32_t (&local)[3],
                            const Vec3f (&p)[3], unsigned& edge) {
    const auto key = [&](unsigned from, unsigned to) { return local[from % 3] << 9 | local[to % 3]; };
    clearTable(shared);
    if (has)
        for (unsigned k = 0; k < 3; ++k)
            insert(shared, key(k, k + 1), 3 * threadIdx.x + k);
    shared.matches[threadIdx.x] = kNone;
    __syncthreads();
    unsigned beyond[3];
    float length[3];
    for (unsigned k = 0; k < 3; ++k) {
        const std::uint32_t corner = has ? cornerOf(shared, key(k + 1, k)) : kNone;
        beyond[k] = corner == kNone || corner / 3 == threadIdx.x ? kNone : corner / 3;
        length[k] = squaredNorm(p[(k + 1) % 3] - p[k]);
    }
    for (int round = 0; round < kMatchingRounds; ++round) {
        unsigned proposal = kNone;
        float longest = -1;
        // a strict order of edges, also among equally long ones, which is the same seen from both of its
        // triangles: each round pairs some triangles
        const auto isBetter = [&](unsigned k) {
            return length[k] > longest ||
                   (length[k] == longest && (threadIdx.x ^ beyond[k]) > (threadIdx.x ^ proposal));
        };
        if (shared.matches[threadIdx.x] == kNone)
            for (unsigned k = 0; k < 3; ++k)
                if (beyond[k] != kNone && shared.matches[beyond[k]] == kNone && isBetter(k))
                    proposal = beyond[k], longest = length[k], edge = k;
        shared.proposals[threadIdx.x] = proposal;
        __syncthreads();
        if (proposal != kNone && shared.proposals[proposal] == threadIdx.x)
            shared.matches[threadIdx.x] = proposal;
        __syncthreads();
    }
    return shared.matches[threadIdx.x];
}

/// Returns the new index of this thread's triangle in its cluster: the two triangles of a pair get
/// consecutive indices, and single triangles follow after all pairs. Must be called by all threads.
__device__ unsigned sortPairs(ClusterShared& shared, bool has, unsigned match, unsigned& pairs) {
    const bool single = has && match == kNone, leads = has && !single && threadIdx.x < match;
    const unsigned before = exclusiveSum(shared, leads ? 1 : 0, pairs);
    unsigned singles;
    const unsigned singlesBefore = exclusiveSum(shared, single ? 1 : 0, singles);
    shared.proposals[threadIdx.x] = 2 * before;
    __syncthreads();
    return single ? 2 * pairs + singlesBefore : leads ? 2 * before : has ? shared.proposals[match] + 1 : 0;
}

/// Computes the bounding box and the normal cone of a block's triangles. Only thread 0 gets the result. Must
/// be called by all threads.
/// @param has whether this thread has a triangle
/// @param p the triangle's corners, metres
__device__ ClusterHead headOf(ClusterShared& shared, bool has, const Vec3f (&p)[3]) {
    const float far = kClusterReach;
    const auto lower = [](Vec3f a, Vec3f b) { return min(a, b); };
    const auto higher = [](Vec3f a, Vec3f b) { return max(a, b); };
    const Vec3f all{far, far, far};
    ClusterHead head{};
    const Vec3f low = reduceOverBlock(shared, has ? min(p[0], min(p[1], p[2])) : all, lower),
                high = reduceOverBlock(shared, has ? max(p[0], max(p[1], p[2])) : -all, higher);
    if (threadIdx.x == 0)
        setBox(head, low, high);
    ClusterFace face{{}, far};
    if (has)
        face = clusterFace(p);
    head.axis = normalized(reduceOverBlock(shared, face.normal, [](Vec3f a, Vec3f b) { return a + b; }));
    const bool flat = squaredNorm(face.normal) == 0;
    const Vec3f least =
        reduceOverBlock(shared, {flat ? 1.0f : dot(face.normal, head.axis), face.roundness, 0}, lower);
    setCone(head, least.x, least.y);
    return head;
}

/// Computes heads, order of triangles and word counts of the clusters; wordsKernel() writes the words. Each
/// block processes one cluster.
/// @param order is permuted within each cluster
/// @param triangles [C, kThreads] a triangleWord() each
/// @param wordCounts number of words of each cluster; 0 for unquantized clusters
__global__ void __launch_bounds__(kThreads)
    groupKernel(MeshView mesh, std::uint32_t* order, ClusterHead* heads, std::uint32_t* triangles,
                std::uint32_t* wordCounts, unsigned long long* unquantized) {
    __shared__ ClusterShared shared;
    const std::uint32_t place = blockIdx.x * kClusterTriangles + threadIdx.x;
    const bool has = threadIdx.x < kClusterTriangles && place < mesh.triangles;
    const std::uint32_t triangle = has ? order[place] : 0;
    bool there = true, near = true;
    clearTable(shared);
    std::uint32_t entry[3] = {}, local[3];
    Vec3f p[3] = {};
    for (unsigned k = 0; k < 3; ++k) {
        const std::uint32_t vertex = has ? mesh.indices[std::size_t{triangle} * 3 + k] : 0;
        there = there && vertex < mesh.vertices;
        if (!has || vertex >= mesh.vertices)
            continue;
        entry[k] = insert(shared, vertex, 3 * threadIdx.x + k);
        p[k] = mesh.positions[vertex];
        const float reach = fmaxf(fabsf(p[k].x), fmaxf(fabsf(p[k].y), fabsf(p[k].z)));
        near = near && reach < kClusterReach && isFinite(p[k]); // fmaxf ignores NaN
    }
    const bool whole = __syncthreads_and(!has || (there && near)) != 0;
    const unsigned vertices = numberVertices(shared, has && there, entry, local);
    ClusterHead head = headOf(shared, has, p);
    const bool fits = whole && vertices <= kClusterVertices;
    unsigned edge = 0, pairs = 0, match = kNone;
    if (fits) // the condition is equal for all threads of the block
        match = matchOf(shared, has, local, p, edge);
    const unsigned to = sortPairs(shared, has, match, pairs); // sortPairs() synchronizes the block after all
                                                              // reads of `order`
    if (has) {
        order[blockIdx.x * kClusterTriangles + to] = triangle;
        if (fits)
            triangles[std::size_t{blockIdx.x} * kThreads + to] = triangleWord(local, edge);
    }
    if (threadIdx.x != 0)
        return;
    const std::uint32_t count = ::min(kClusterTriangles, mesh.triangles - blockIdx.x * kClusterTriangles);
    head.vertices = fits ? vertices : 0;
    head.pairs = pairs, head.slotCount = count - pairs;
    heads[blockIdx.x] = head;
    wordCounts[blockIdx.x] = fits ? verticesAfter(head.slotCount) + verticesAfter(vertices) : 0;
    if (!fits)
        atomicAdd(unquantized, 1ull);
}

/// Writes the words of the clusters. Several triangles write the same value for a vertex that they share.
__global__ void __launch_bounds__(kThreads)
    wordsKernel(MeshView mesh, const std::uint32_t* order, ClusterHead* heads, const std::uint32_t* triangles,
                const std::uint32_t* firsts, std::uint32_t* words) {
    const std::uint32_t i = threadIdx.x, first = firsts[blockIdx.x];
    const ClusterHead head = heads[blockIdx.x];
    if (i == 0)
        heads[blockIdx.x].first = first;
    if (head.vertices == 0)
        return;
    const std::uint32_t* const own = triangles + std::size_t{blockIdx.x} * kThreads;
    std::uint32_t* const vertices = words + first + verticesAfter(head.slotCount);
    if (i < head.slotCount + head.pairs) {
        const std::uint32_t triangle = order[blockIdx.x * kClusterTriangles + i];
        for (unsigned k = 0; k < 3; ++k)
            vertices[placeIn(own[i], k)] =
                clusterVertex(head, mesh.positions[mesh.indices[std::size_t{triangle} * 3 + k]]);
    }
    if (i < head.slotCount) {
        const std::uint32_t place = placeOfSlot(i, head.pairs), one = own[place];
        const unsigned edge = one >> 24;
        ClusterPair pair{placeIn(one, edge + 2), placeIn(one, edge), placeIn(one, edge + 1), 0};
        pair.d = i < head.pairs ? beyondEdge(one, own[place + 1]) : pair.c;
        words[first + i] = pairWord(pair);
    } else if (i < verticesAfter(head.slotCount)) {
        words[first + i] = 0;
    }
    if (i < verticesAfter(head.vertices) - head.vertices)
        vertices[head.vertices + i] = 0;
}

} // namespace

TriangleClusters clusterTriangles(const TriangleMesh& mesh, StreamView stream) {
    RasterScene scene;
    scene.mesh = &mesh;
    requireDrawable(scene);
    if (mesh.positions.space() != MemorySpace::device || mesh.indices.space() != MemorySpace::device)
        throw Fault("clusters are made of a mesh that does not lie on the device");
    TriangleClusters clusters;
    clusters.of = mesh.positions.data();
    const std::size_t count = (mesh.triangleCount() + kClusterTriangles - 1) / kClusterTriangles;
    if (count == 0)
        return clusters;
    const MeshView view{mesh.positions.data(), mesh.indices.data(),
                        static_cast<std::uint32_t>(mesh.vertexCount()),
                        static_cast<std::uint32_t>(mesh.triangleCount())};
    clusters.order = orderTrianglesAlongCurve(view, stream);
    const auto device = MemorySpace::device;
    clusters.heads = Buffer<ClusterHead>::in(device, count, stream);
    auto triangles = Buffer<std::uint32_t>::in(device, count * kThreads, stream);
    auto firsts = Buffer<std::uint32_t>::in(device, count + 1, stream);
    auto unquantized = Buffer<unsigned long long>::in(device, 1, stream);
    check(cudaMemsetAsync(unquantized.data(), 0, unquantized.bytes(), ownStream(stream)), "cudaMemsetAsync");
    check(cudaMemsetAsync(firsts.data() + count, 0, sizeof(std::uint32_t), ownStream(stream)),
          "cudaMemsetAsync");
    const auto blocks = static_cast<unsigned>(count);
    groupKernel<<<blocks, kThreads, 0, ownStream(stream)>>>(view, clusters.order.data(),
                                                            clusters.heads.data(), triangles.data(),
                                                            firsts.data(), unquantized.data());
    check(cudaGetLastError(), "groupKernel");
    runCub("cub::DeviceScan::ExclusiveSum", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, firsts.data(), firsts.data(), count + 1,
                                             stream.handle());
    });
    std::uint32_t wordCount = 0;
    unsigned long long unquantizedCount = 0;
    detail::copyBytes(&wordCount, MemorySpace::host, firsts.data() + count, device, sizeof wordCount, stream);
    detail::copyBytes(&unquantizedCount, MemorySpace::host, unquantized.data(), device,
                      sizeof unquantizedCount, stream);
    stream.synchronize();
    clusters.unquantized = unquantizedCount;
    clusters.words = Buffer<std::uint32_t>::in(device, std::size_t{wordCount} + kClusterBeyond, stream);
    wordsKernel<<<blocks, kThreads, 0, ownStream(stream)>>>(view, clusters.order.data(),
                                                            clusters.heads.data(), triangles.data(),
                                                            firsts.data(), clusters.words.data());
    check(cudaGetLastError(), "wordsKernel");
    return clusters;
}

} // namespace scanloupe::cuda
