// Cuts parts out of surfaces on the device, and copies only the part to the host.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/core/device_copy.h"
#include "kernels/mesh/part/cuda_sha256.cuh"
#include "kernels/mesh/part/part_layout.h"

#include <cstring>
#include <cub/device/device_scan.cuh>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kDigestThreads = 64; // few threads per block, so that all multiprocessors get blocks

/// Inputs and outputs of the kernels, on the device.
struct PartWork {
    PartBricks bricks;
    const std::uint64_t* firstTriangle; ///< [A + 1] index of each brick's first triangle in the whole surface
    const std::uint32_t* own;           ///< [B] indices of the part's bricks
    const std::uint64_t* firstInPart;   ///< [B + 1] index of each brick's first triangle in the part
    /// number of bricks in the part; of vertices that the part owns; of vertices in the whole surface
    std::uint32_t ownBricks, ownVertices, vertices;
    const Vec3f *positions, *normals; ///< [vertices] metres; unit vectors
    const std::uint32_t* indices;     ///< vertex indices of the whole surface
    const std::uint32_t* columns;     ///< [columnCount, vertices] values of the columns
    std::uint32_t columnCount;
    std::uint32_t* isShared;     ///< [vertices + 1] 1 if the part uses the vertex but another brick owns it
    std::uint32_t* sharedBefore; ///< [vertices + 1] exclusive prefix sums of isShared
    std::uint32_t* shared;       ///< numbers of the shared vertices in the whole surface
    std::uint16_t* codes;        ///< [part's triangles, 3] see cornerCode()
    Vec3f *partPositions, *partNormals;
    std::uint32_t* partIndices;
    std::uint32_t* digests;  ///< [B, 8] digest of each brick
    std::uint32_t* isFaulty; ///< [1] set to 1 if no adjacent brick owns a triangle's vertex
};

/// Finds the corner bricks of the brick that a block processes.
__device__ void findCorners(const PartWork& work, CornerBrick* corners) {
    if (threadIdx.x < kCornerBricks)
        corners[threadIdx.x] = cornerBrick(work.bricks, work.own[blockIdx.x], threadIdx.x);
    __syncthreads();
}

/// Marks shared vertices, with one block per brick of the part.
__global__ void markShared(PartWork work) {
    __shared__ CornerBrick corners[kCornerBricks];
    findCorners(work, corners);
    bool sharesSome = false;
    for (const CornerBrick& corner : corners)
        sharesSome = sharesSome || corner.isShared();
    if (!sharesSome)
        return;
    const std::uint32_t brick = work.own[blockIdx.x];
    for (std::uint64_t i = 3 * work.firstTriangle[brick] + threadIdx.x; i < 3 * work.firstTriangle[brick + 1];
         i += blockDim.x) {
        const std::uint32_t vertex = work.indices[i];
        const unsigned bits = ownerOf(corners, vertex);
        if (bits < kCornerBricks && corners[bits].isShared())
            work.isShared[vertex] = 1;
    }
}

/// Copies the shared vertices, with one thread per vertex of the whole surface.
__global__ void takeShared(PartWork work) {
    const std::size_t v = globalIndex();
    if (v >= work.vertices || work.isShared[v] == 0)
        return;
    const std::uint32_t at = work.sharedBefore[v];
    work.shared[at] = static_cast<std::uint32_t>(v);
    work.partPositions[work.ownVertices + at] = work.positions[v];
    work.partNormals[work.ownVertices + at] = work.normals[v];
}

/// Copies the vertices and triangles that the part owns, with one block per brick; triangles are written with
/// vertex numbers of the part, and as codes.
__global__ void takeOwn(PartWork work) {
    __shared__ CornerBrick corners[kCornerBricks];
    findCorners(work, corners);
    const std::uint32_t brick = work.own[blockIdx.x];
    const std::uint64_t from = 3 * work.firstTriangle[brick], to = 3 * work.firstInPart[blockIdx.x],
                        count = 3 * work.firstTriangle[brick + 1] - from;
    for (std::uint64_t i = threadIdx.x; i < count; i += blockDim.x) {
        const std::uint32_t vertex = work.indices[from + i];
        const unsigned bits = ownerOf(corners, vertex);
        if (bits == kCornerBricks) {
            *work.isFaulty = 1;
            continue;
        }
        const CornerBrick& owner = corners[bits];
        work.partIndices[to + i] = owner.isShared() ? work.ownVertices + work.sharedBefore[vertex]
                                                    : owner.firstInPart + (vertex - owner.firstVertex);
        work.codes[to + i] = cornerCode(owner, bits, vertex);
    }
    const std::uint32_t first = work.bricks.firstVertex[brick],
                        vertices = work.bricks.firstVertex[brick + 1] - first,
                        at = work.bricks.firstInPart[brick];
    for (std::uint32_t i = threadIdx.x; i < vertices; i += blockDim.x) {
        work.partPositions[at + i] = work.positions[first + i];
        work.partNormals[at + i] = work.normals[first + i];
    }
}

/// Computes the digest of each brick, with one thread per brick of the part.
__global__ void __launch_bounds__(kDigestThreads) takeDigests(PartWork work) {
    __shared__ std::uint32_t blocks[16 * kDigestThreads];
    const std::uint32_t i = blockIdx.x * kDigestThreads + threadIdx.x;
    if (i >= work.ownBricks)
        return;
    Sha256Words<kDigestThreads> sum(blocks + threadIdx.x);
    const std::uint32_t brick = work.own[i], first = work.bricks.firstVertex[brick],
                        vertices = work.bricks.firstVertex[brick + 1] - first;
    const std::uint64_t key = work.bricks.keys[brick];
    sum.add(static_cast<std::uint32_t>(key));
    sum.add(static_cast<std::uint32_t>(key >> 32));
    const auto addAll = [&](const std::uint32_t* words, std::uint32_t count) {
        for (std::uint32_t w = 0; w < count; ++w)
            sum.add(words[w]);
    };
    addAll(reinterpret_cast<const std::uint32_t*>(work.positions + first), 3 * vertices);
    addAll(reinterpret_cast<const std::uint32_t*>(work.normals + first), 3 * vertices);
    for (std::uint32_t c = 0; c < work.columnCount; ++c)
        addAll(work.columns + std::size_t{c} * work.vertices + first, vertices);
    const std::uint16_t* const codes = work.codes + 3 * work.firstInPart[i];
    const auto count = static_cast<std::uint32_t>(3 * (work.firstInPart[i + 1] - work.firstInPart[i]));
    for (std::uint32_t c = 0; c + 1 < count; c += 2)
        sum.add(codes[c] | std::uint32_t{codes[c + 1]} << 16);
    std::uint32_t digest[8];
    sum.finish(count % 2 != 0 ? codes[count - 1] : 0, count % 2 != 0 ? 2 : 0, digest);
    for (int w = 0; w < 8; ++w)
        work.digests[8 * std::size_t{i} + w] = digest[w];
}

template <class T>
Buffer<T> deviceCopyOf(const std::vector<T>& values, StreamView stream) {
    return deviceCopy(std::span<const T>(values), stream);
}

} // namespace

SurfacePart cutSurface(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
                       const IndexBox& owned, const std::stop_token& stop, StreamView stream) {
    constexpr MemorySpace device = MemorySpace::device;
    constexpr unsigned threads = 128; // a typical brick has 170 triangles
    const PartLayout layout(surface, columns, brickDims, owned);
    if (layout.own.empty())
        return {};
    const TriangleMesh& mesh = surface.mesh;
    const std::size_t vertices = mesh.vertexCount(), indices = 3 * layout.triangles(),
                      bricks = layout.own.size();
    const auto keys = deviceCopyOf(surface.bricks.keys, stream);
    const auto firstVertex = deviceCopyOf(layout.firstVertex, stream);
    const auto firstInPart = deviceCopyOf(layout.firstInPart, stream);
    const auto firstTriangle = deviceCopyOf(surface.bricks.firstTriangle, stream);
    const auto own = deviceCopyOf(layout.own, stream);
    const auto partTriangles = deviceCopyOf(layout.firstTriangle, stream);
    auto values = Buffer<std::uint32_t>::in(device, columns.size() * vertices, stream);
    for (std::size_t c = 0; c < columns.size(); ++c)
        detail::copyBytes(values.data() + c * vertices, device, columns[c].data(), MemorySpace::host,
                          4 * vertices, stream);
    auto isShared = Buffer<std::uint32_t>::in(device, vertices + 1, stream);
    auto sharedBefore = Buffer<std::uint32_t>::in(device, vertices + 1, stream);
    auto codes = Buffer<std::uint16_t>::in(device, indices, stream);
    auto digests = Buffer<std::uint32_t>::in(device, 8 * bricks, stream);
    auto isFaulty = Buffer<std::uint32_t>::in(device, 1, stream);
    PartWork work{};
    work.bricks = {keys.data(), firstVertex.data(), firstInPart.data(),
                   static_cast<std::uint32_t>(surface.bricks.size()), brickDims};
    work.firstTriangle = firstTriangle.data();
    work.own = own.data();
    work.firstInPart = partTriangles.data();
    work.ownBricks = static_cast<std::uint32_t>(bricks);
    work.ownVertices = static_cast<std::uint32_t>(layout.ownVertices);
    work.vertices = static_cast<std::uint32_t>(vertices);
    work.positions = mesh.positions.data();
    work.normals = mesh.normals.data();
    work.indices = mesh.indices.data();
    work.columns = values.data();
    work.columnCount = static_cast<std::uint32_t>(columns.size());
    work.isShared = isShared.data();
    work.sharedBefore = sharedBefore.data();
    work.codes = codes.data();
    work.digests = digests.data();
    work.isFaulty = isFaulty.data();

    const cudaStream_t queue = ownStream(stream);
    const auto blocks = static_cast<unsigned>(bricks);
    check(cudaMemsetAsync(isShared.data(), 0, isShared.bytes(), queue), "cudaMemsetAsync");
    check(cudaMemsetAsync(isFaulty.data(), 0, isFaulty.bytes(), queue), "cudaMemsetAsync");
    markShared<<<blocks, threads, 0, queue>>>(work);
    check(cudaGetLastError(), "markShared");
    runCub("DeviceScan", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, isShared.data(), sharedBefore.data(),
                                             vertices + 1, queue);
    });
    std::uint32_t sharedCount = 0;
    detail::copyBytes(&sharedCount, MemorySpace::host, sharedBefore.data() + vertices, device,
                      sizeof sharedCount, stream);
    if (stop.stop_requested())
        throw Cancelled();
    auto shared = Buffer<std::uint32_t>::in(device, sharedCount, stream);
    TriangleMesh there;
    there.positions = Buffer<Vec3f>::in(device, layout.ownVertices + sharedCount, stream);
    there.normals = Buffer<Vec3f>::in(device, layout.ownVertices + sharedCount, stream);
    there.indices = Buffer<std::uint32_t>::in(device, indices, stream);
    work.shared = shared.data();
    work.partPositions = there.positions.data();
    work.partNormals = there.normals.data();
    work.partIndices = there.indices.data();
    launch("takeShared", vertices, stream, takeShared, work);
    takeOwn<<<blocks, threads, 0, queue>>>(work);
    check(cudaGetLastError(), "takeOwn");
    takeDigests<<<(blocks + kDigestThreads - 1) / kDigestThreads, kDigestThreads, 0, queue>>>(work);
    check(cudaGetLastError(), "takeDigests");

    if (isFaulty.copyTo(MemorySpace::host, stream)[0] != 0)
        throw Fault(kStrayVertex);
    if (stop.stop_requested())
        throw Cancelled();
    SurfacePart part = describedPart(surface.bricks, layout, shared.copyTo(MemorySpace::host, stream).span());
    part.mesh = there.download(stream);
    const Buffer<std::uint32_t> sums = digests.copyTo(MemorySpace::host, stream);
    for (std::size_t i = 0; i < bricks; ++i)
        std::memcpy(part.bricks[i].digest.data(), sums.data() + 8 * i, sizeof(Sha256Digest));
    return part;
}

} // namespace scanloupe::cuda
