// Removes small connected components of meshes on the CPU.
#include "kernels/mesh/cleanup/disjoint_sets.h"
#include "kernels/mesh/cleanup/mesh_cleanup.h"
#include "kernels/mesh/core/mesh_subset.h"

#include <atomic>

namespace scanloupe::cpu {

FilteredMesh removeSmallComponents(const TriangleMesh& mesh, std::uint64_t minTriangles,
                                   const std::stop_token& stop) {
    constexpr std::size_t grain = std::size_t{1} << 15;
    const WallTimer timer;
    const auto indices = mesh.indices.span();
    DisjointSets sets(mesh.vertexCount(), stop);
    parallelFor(mesh.triangleCount(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            sets.join(indices[3 * t], indices[3 * t + 1]);
            sets.join(indices[3 * t + 1], indices[3 * t + 2]);
        }
    });
    const auto roots = sets.roots(stop);
    // number of triangles of each component, stored at the component's root vertex
    std::vector<std::uint64_t> sizes(mesh.vertexCount(), 0);
    parallelFor(mesh.triangleCount(), grain, stop, [&](std::size_t begin, std::size_t end) {
        std::uint64_t run = 0; // consecutive triangles usually belong to the same component
        for (std::size_t t = begin; t < end; ++t) {
            ++run;
            if (t + 1 == end || roots[indices[3 * t]] != roots[indices[3 * t + 3]]) {
                std::atomic_ref(sizes[roots[indices[3 * t]]]).fetch_add(run, std::memory_order_relaxed);
                run = 0;
            }
        }
    });
    const auto kept = selectIndices(mesh.triangleCount(), stop, [&](std::size_t t) {
        return sizes[roots[indices[3 * t]]] >= minTriangles;
    });
    FilteredMesh result;
    result.mesh = subset(mesh, kept, stop);
    for (const std::uint64_t size : sizes)
        result.removedComponents += size > 0 && size < minTriangles;
    result.removedTriangles = mesh.triangleCount() - result.mesh.triangleCount();
    result.removedVertices = mesh.vertexCount() - result.mesh.vertexCount();
    result.mesh.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cpu
