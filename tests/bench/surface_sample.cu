#include "engine/cloud/attribute.h"
#include "tests/bench/device_buffer.h"
#include "tests/bench/surface_sample.h"

#include "engine/io/volume/read_volume.h"
#include "kernels/core/cuda_check.h"
#include "kernels/mesh/extract/cube_tables.h"

#include <cub/device/device_scan.cuh>

namespace scanloupe::bench {

using cuda::check;
using cuda::ownStream;

namespace {

constexpr unsigned kVoxelThreads = 128, kGenerateThreads = 32; // threads per block, as in the CUDA samples

__device__ const CubeTables kTables = kCubeTables;

struct Volume {
    const float* values; // [edge^3]
    int edge;
    float iso;
    bool insideBelow;

    __device__ Vec3i voxel(std::size_t index) const {
        const auto n = static_cast<std::size_t>(edge);
        return {static_cast<int>(index % n), static_cast<int>(index / n % n),
                static_cast<int>(index / n / n)};
    }
    __device__ float at(Vec3i p) const {
        const auto n = static_cast<std::size_t>(edge);
        return values[(static_cast<std::size_t>(p.z) * n + static_cast<std::size_t>(p.y)) * n +
                      static_cast<std::size_t>(p.x)];
    }
    /// Loads the samples at a voxel's corners, and returns the voxel's case; 0 for voxels beyond the last
    /// nodes.
    __device__ unsigned load(Vec3i p, float (&corners)[8]) const {
        if (p.x >= edge - 1 || p.y >= edge - 1 || p.z >= edge - 1)
            return 0;
        unsigned which = 0;
        for (int c = 0; c < 8; ++c) {
            corners[c] = at(p + Vec3i{c & 1, c >> 1 & 1, c >> 2});
            which |= (corners[c] < iso) == insideBelow ? 1u << c : 0u;
        }
        return which;
    }
};

__device__ std::size_t threadIndex() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void classifyVoxels(Volume volume, std::size_t voxels, std::uint32_t* vertices,
                               std::uint32_t* occupied) {
    const std::size_t i = threadIndex();
    if (i >= voxels)
        return;
    float corners[8];
    const unsigned count = 3u * kTables.triangleCount[volume.load(volume.voxel(i), corners)];
    vertices[i] = count;
    occupied[i] = count > 0;
}

__global__ void compactVoxels(std::size_t voxels, const std::uint32_t* occupied, const std::uint32_t* places,
                              std::uint32_t* active) {
    const std::size_t i = threadIndex();
    if (i < voxels && occupied[i] != 0)
        active[places[i]] = static_cast<std::uint32_t>(i);
}

__global__ void generateTriangles(Volume volume, const std::uint32_t* active, std::uint32_t count,
                                  const std::uint32_t* firsts, float4* positions, float4* normals) {
    __shared__ Vec3f points[kCubeEdges][kGenerateThreads]; // intersection of the surface with each edge
    const std::size_t i = threadIndex();
    if (i >= count)
        return;
    const Vec3i voxel = volume.voxel(active[i]);
    float corners[8];
    const unsigned which = volume.load(voxel, corners);
    for (int e = 0; e < kCubeEdges; ++e) {
        const CubeEdge edge = cubeEdge(e);
        const float lower = corners[edge.corner], upper = corners[edge.corner | 1 << edge.axis];
        Vec3f point = (voxel + Vec3i{edge.corner & 1, edge.corner >> 1 & 1, edge.corner >> 2}).as<float>();
        point[edge.axis] += (volume.iso - lower) / (upper - lower);
        points[e][threadIdx.x] = point;
    }
    const std::uint32_t first = firsts[active[i]];
    for (unsigned t = 0; t < kTables.triangleCount[which]; ++t) {
        Vec3f corner[3];
        for (unsigned k = 0; k < 3; ++k)
            corner[k] = points[kTables.edges[which][3 * t + k]][threadIdx.x];
        const Vec3f normal = normalized(cross(corner[1] - corner[0], corner[2] - corner[0]));
        for (unsigned k = 0; k < 3; ++k) {
            positions[first + 3 * t + k] = float4{corner[k].x, corner[k].y, corner[k].z, 1};
            normals[first + 3 * t + k] = float4{normal.x, normal.y, normal.z, 0};
        }
    }
}

struct SoupSums {
    double x, y, z, length;
};
__global__ void sumSoup(const float4* positions, const float4* normals, std::size_t count, SoupSums* sums) {
    SoupSums mine{};
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = threadIndex(); i < count; i += step) {
        const float4 p = positions[i], n = normals[i];
        mine.x += static_cast<double>(p.x);
        mine.y += static_cast<double>(p.y);
        mine.z += static_cast<double>(p.z);
        mine.length += static_cast<double>(norm(Vec3f{n.x, n.y, n.z}));
    }
    atomicAdd(&sums->x, mine.x);
    atomicAdd(&sums->y, mine.y);
    atomicAdd(&sums->z, mine.z);
    atomicAdd(&sums->length, mine.length);
}

} // namespace

struct SampleMarchingCubes::State {
    std::size_t voxels;
    Buffer<float> values;
    Volume volume;
    Buffer<std::uint32_t> vertices, occupied, firsts, places, active;
    Buffer<std::byte> scratch;
    Buffer<float4> positions, normals;
    Buffer<std::uint32_t> lasts; // pinned memory for the last elements of a scan's output and input
    std::uint32_t activeCount = 0, vertexCount = 0;

    unsigned blocks(std::size_t threads, unsigned size) const {
        return static_cast<unsigned>((threads + size - 1) / size);
    }
    /// Runs an exclusive scan, and reads the sum back to the host, as the samples do.
    std::uint32_t scan(const Buffer<std::uint32_t>& from, Buffer<std::uint32_t>& to, StreamView stream) {
        std::size_t bytes = scratch.size();
        check(cub::DeviceScan::ExclusiveSum(scratch.data(), bytes, from.data(), to.data(), voxels,
                                            ownStream(stream)),
              "cub::DeviceScan::ExclusiveSum");
        detail::copyBytes(&lasts[0], MemorySpace::pinned, to.data() + voxels - 1, MemorySpace::device,
                          sizeof(std::uint32_t), stream);
        detail::copyBytes(&lasts[1], MemorySpace::pinned, from.data() + voxels - 1, MemorySpace::device,
                          sizeof(std::uint32_t), stream);
        stream.synchronize();
        return lasts[0] + lasts[1];
    }
    /// Runs the first three kernels. @returns number of vertices in the soup
    void prepare(StreamView stream) {
        const cudaStream_t handle = ownStream(stream);
        classifyVoxels<<<blocks(voxels, kVoxelThreads), kVoxelThreads, 0, handle>>>(
            volume, voxels, vertices.data(), occupied.data());
        check(cudaGetLastError(), "classifyVoxels");
        activeCount = scan(occupied, places, stream);
        compactVoxels<<<blocks(voxels, kVoxelThreads), kVoxelThreads, 0, handle>>>(
            voxels, occupied.data(), places.data(), active.data());
        check(cudaGetLastError(), "compactVoxels");
        vertexCount = scan(vertices, firsts, stream);
    }
};

SampleMarchingCubes::SampleMarchingCubes(std::span<const float> values, int edge, float iso, bool insideBelow,
                                         StreamView stream)
    : m_state(std::make_unique<State>()) {
    State& state = *m_state;
    state.voxels = values.size();
    state.values = deviceBuffer<float>(values.size(), stream);
    detail::copyBytes(state.values.data(), MemorySpace::device, values.data(), MemorySpace::host,
                      values.size_bytes(), stream);
    state.volume = {state.values.data(), edge, iso, insideBelow};
    for (auto* buffer : {&state.vertices, &state.occupied, &state.firsts, &state.places, &state.active})
        *buffer = deviceBuffer<std::uint32_t>(state.voxels, stream);
    state.lasts = Buffer<std::uint32_t>::in(MemorySpace::pinned, 2, stream);
    std::size_t bytes = 0;
    check(cub::DeviceScan::ExclusiveSum(nullptr, bytes, state.vertices.data(), state.firsts.data(),
                                        state.voxels, ownStream(stream)),
          "cub::DeviceScan::ExclusiveSum");
    state.scratch = deviceBuffer<std::byte>(bytes, stream);
    state.prepare(stream);
    state.positions = deviceBuffer<float4>(state.vertexCount, stream);
    state.normals = deviceBuffer<float4>(state.vertexCount, stream);
}

SampleMarchingCubes::~SampleMarchingCubes() = default;

void SampleMarchingCubes::run(StreamView stream) {
    State& state = *m_state;
    state.prepare(stream);
    generateTriangles<<<state.blocks(state.activeCount, kGenerateThreads), kGenerateThreads, 0,
                        ownStream(stream)>>>(state.volume, state.active.data(), state.activeCount,
                                             state.firsts.data(), state.positions.data(),
                                             state.normals.data());
    check(cudaGetLastError(), "generateTriangles");
}

SoupSummary SampleMarchingCubes::summary(StreamView stream) {
    const State& state = *m_state;
    auto sums = deviceBuffer<SoupSums>(1, stream);
    check(cudaMemsetAsync(sums.data(), 0, sums.bytes(), ownStream(stream)), "cudaMemsetAsync");
    sumSoup<<<1024, 256, 0, ownStream(stream)>>>(state.positions.data(), state.normals.data(),
                                                 state.vertexCount, sums.data());
    check(cudaGetLastError(), "sumSoup");
    const auto host = sums.copyTo(MemorySpace::host, stream);
    SoupSummary result;
    result.activeCells = state.activeCount;
    result.triangles = state.vertexCount / 3;
    result.cornerSum = {host[0].x, host[0].y, host[0].z};
    result.normalLength = host[0].length / state.vertexCount;
    return result;
}

std::uint64_t l2Bytes() {
    int bytes = 0;
    check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    return static_cast<std::uint64_t>(bytes);
}

} // namespace scanloupe::bench
