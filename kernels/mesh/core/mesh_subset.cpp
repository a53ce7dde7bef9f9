// Extracts a subset of a mesh's triangles on all cores, and counts triangles without area.
#include "kernels/mesh/core/mesh_subset.h"

#include <atomic>

namespace scanloupe {

namespace {
constexpr std::size_t kMeshSubsetGrain = std::size_t{1} << 16;
}

VertexRemap remapUsedVertices(std::span<const std::uint32_t> indices, std::size_t count,
                              const std::stop_token& stop) {
    VertexRemap result;
    result.numbers.assign(count, kUnused);
    parallelFor(indices.size(), kMeshSubsetGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            std::atomic_ref(result.numbers[indices[i]]).store(0, std::memory_order_relaxed);
    });
    result.old = selectIndices(count, stop, [&](std::size_t v) { return result.numbers[v] != kUnused; });
    parallelFor(result.old.size(), kMeshSubsetGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            result.numbers[result.old[v]] = static_cast<std::uint32_t>(v);
    });
    return result;
}

TriangleMesh subset(const TriangleMesh& mesh, std::span<const std::uint64_t> kept,
                    const std::stop_token& stop) {
    TriangleMesh part;
    part.activeCells = mesh.activeCells;
    part.indices = Buffer<std::uint32_t>::host(3 * kept.size());
    const auto old = mesh.indices.span();
    parallelFor(kept.size(), kMeshSubsetGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t)
            std::copy_n(&old[3 * kept[t]], 3, &part.indices[3 * t]);
    });
    const VertexRemap used = remapUsedVertices(part.indices.span(), mesh.vertexCount(), stop);
    parallelFor(part.indices.size(), kMeshSubsetGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            part.indices[i] = used.numbers[part.indices[i]];
    });
    part.positions = Buffer<Vec3f>::host(used.old.size());
    part.normals = Buffer<Vec3f>::host(used.old.size());
    const auto positions = mesh.positions.span(), normals = mesh.normals.span();
    parallelFor(used.old.size(), kMeshSubsetGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v) {
            part.positions[v] = positions[used.old[v]];
            part.normals[v] = normals[used.old[v]];
        }
    });
    part.zeroAreaTriangles = countZeroArea(part.positions.span(), part.indices.span(), stop);
    part.cost.bytes = part.bytes();
    return part;
}

std::uint64_t countZeroArea(std::span<const Vec3f> positions, std::span<const std::uint32_t> indices,
                            const std::stop_token& stop) {
    return parallelReduce(
        indices.size() / 3, kMeshSubsetGrain, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t count = 0;
            for (std::size_t t = begin; t < end; ++t) {
                const Vec3d a = positions[indices[3 * t]].as<double>();
                const Vec3d b = positions[indices[3 * t + 1]].as<double>();
                const Vec3d c = positions[indices[3 * t + 2]].as<double>();
                count += cross(b - a, c - a) == Vec3d{};
            }
            return count;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

} // namespace scanloupe
