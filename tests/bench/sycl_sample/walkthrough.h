#pragma once
// A published walk-through of porting marching cubes from CUDA to SYCL, reimplemented from its description
// without its bugs, but otherwise unchanged. Each step is one kernel over all voxels of a dense volume;
// exclusive scans sum the flag "is occupied" and the number of vertices; the result is a soup of triangles. A
// template over the queue, like kernels/sycl/chain.
#include "kernels/core/cost.h"
#include "kernels/mesh/extract/cube_tables.h"
#include "kernels/sycl/chain/scan.h"

#include <cstdint>
#include <vector>

namespace scanloupe::bench {

/// A dense volume, x fastest.
struct WalkthroughVolume {
    const float* values; ///< [edge^3]
    int edge;
    float iso;
    bool insideBelow;

    HD Vec3i voxel(std::size_t index) const {
        const auto n = std::size_t(edge);
        return {int(index % n), int(index / n % n), int(index / n / n)};
    }
    /// Loads the samples at a voxel's corners, and returns the voxel's case; 0 for voxels beyond the last
    /// nodes.
    HD unsigned load(Vec3i p, float (&corners)[8]) const {
        if (p.x >= edge - 1 || p.y >= edge - 1 || p.z >= edge - 1)
            return 0;
        const auto n = std::size_t(edge);
        unsigned which = 0;
        for (int c = 0; c < 8; ++c) {
            const Vec3i at = p + Vec3i{c & 1, c >> 1 & 1, c >> 2};
            corners[c] = values[(std::size_t(at.z) * n + std::size_t(at.y)) * n + std::size_t(at.x)];
            which |= (corners[c] < iso) == insideBelow ? 1u << c : 0u;
        }
        return which;
    }
};

/// Milliseconds of each step, and the resulting soup.
struct WalkthroughResult {
    double classifyMs = 0, scanMs = 0, compactMs = 0, generateMs = 0;
    std::uint64_t occupied = 0;
    std::vector<Vec3f> positions, normals; ///< [vertices], three for each triangle
};

/// @note Synchronizes after each step.
template <class Q>
WalkthroughResult runWalkthrough(Q& q, const float* values, int edge, float iso, bool insideBelow) {
    using sycl_chain::DeviceArray;
    const std::size_t voxels = std::size_t(edge) * std::size_t(edge) * std::size_t(edge);
    const sycl_chain::Reachable<float, Q> there(q, values, voxels);
    const WalkthroughVolume volume{there.data(), edge, iso, insideBelow};
    const DeviceArray<std::uint32_t, Q> vertexCounts(q, voxels), occupiedFlags(q, voxels),
        compacted(q, voxels), totals(q, 2);
    std::uint32_t *const vertices = vertexCounts.data(), *const occupied = occupiedFlags.data();
    std::uint32_t* const list = compacted.data();
    WalkthroughResult result;
    const auto timed = [&](double& ms, auto&& step) {
        q.wait();
        const WallTimer timer;
        step();
        q.wait();
        ms = timer.elapsedMs();
    };
    timed(result.classifyMs, [&] { // the published kernel classifyVoxel
        q.forEach(voxels, [=](std::size_t i) {
            float corners[8];
            const unsigned count = 3u * kCubeTables.triangleCount[volume.load(volume.voxel(i), corners)];
            vertices[i] = count;
            occupied[i] = count > 0 ? 1 : 0;
        });
    });
    std::uint32_t count = 0, vertexCount = 0;
    timed(result.scanMs, [&] { // two scans, whose sums are read back
        sycl_chain::exclusiveScan(q, occupied, voxels, totals.data());
        count = totals.read(0);
        sycl_chain::exclusiveScan(q, vertices, voxels, totals.data() + 1);
        vertexCount = totals.read(1);
    });
    timed(result.compactMs, [&] { // the published kernel compactVoxels
        q.forEach(voxels, [=](std::size_t i) {
            const std::uint32_t next = i + 1 < voxels ? occupied[i + 1] : count;
            if (occupied[i] != next)
                list[occupied[i]] = std::uint32_t(i);
        });
    });
    const DeviceArray<Vec3f, Q> positions(q, vertexCount), normals(q, vertexCount);
    Vec3f *const out = positions.data(), *const outNormals = normals.data();
    timed(result.generateMs, [&] { // the published kernel generateTriangles2
        q.forEach(count, [=](std::size_t i) {
            const Vec3i voxel = volume.voxel(list[i]);
            float corners[8];
            const unsigned which = volume.load(voxel, corners);
            Vec3f points[kCubeEdges]; // intersection of the surface with each edge
            for (int e = 0; e < kCubeEdges; ++e) {
                const CubeEdge edgeOf = cubeEdge(e);
                const float lower = corners[edgeOf.corner], upper = corners[edgeOf.corner | 1 << edgeOf.axis];
                points[e] = (voxel + Vec3i{edgeOf.corner & 1, edgeOf.corner >> 1 & 1, edgeOf.corner >> 2})
                                .template as<float>();
                points[e][edgeOf.axis] += (volume.iso - lower) / (upper - lower);
            }
            std::size_t at = vertices[list[i]];
            for (unsigned t = 0; t < kCubeTables.triangleCount[which]; ++t) {
                Vec3f corner[3];
                for (unsigned k = 0; k < 3; ++k)
                    corner[k] = points[kCubeTables.edges[which][3 * t + k]];
                const Vec3f normal = normalized(cross(corner[1] - corner[0], corner[2] - corner[0]));
                for (unsigned k = 0; k < 3; ++k, ++at) {
                    out[at] = corner[k];
                    outNormals[at] = normal;
                }
            }
        });
    });
    result.occupied = count;
    result.positions.resize(vertexCount);
    result.normals.resize(vertexCount);
    q.copy(result.positions.data(), out, vertexCount * sizeof(Vec3f));
    q.copy(result.normals.data(), outNormals, vertexCount * sizeof(Vec3f));
    q.wait();
    return result;
}

} // namespace scanloupe::bench
