#pragma once
// Declares the extraction of a subset of a mesh's triangles as a separate mesh.
#include "kernels/core/parallel.h"
#include "kernels/mesh/core/triangle_mesh.h"

#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

inline constexpr std::uint32_t kUnused = std::numeric_limits<std::uint32_t>::max();

/// Returns the indices i in [0, count) for which `keep(i)` is true, ascending. @throws Cancelled
template <class Keep>
std::vector<std::uint64_t> selectIndices(std::size_t count, const std::stop_token& stop, Keep&& keep) {
    constexpr std::size_t grain = std::size_t{1} << 16;
    std::vector<std::uint64_t> places(chunkCount(count, grain));
    parallelChunks(count, grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            places[chunk] += keep(i) ? 1 : 0;
    });
    std::vector<std::uint64_t> items(exclusiveScan(std::span<std::uint64_t>(places)));
    parallelChunks(count, grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        std::uint64_t place = places[chunk];
        for (std::size_t i = begin; i < end; ++i) {
            if (keep(i))
                items[place++] = i;
        }
    });
    return items;
}

/// Renumbering of used vertices.
struct VertexRemap {
    std::vector<std::uint64_t> old;     ///< [U] old index of each used vertex, ascending
    std::vector<std::uint32_t> numbers; ///< [M] new index of each old vertex; kUnused if unused
};
/// Renumbers the vertices of [0, count) that `indices` refer to. @throws Cancelled
VertexRemap remapUsedVertices(std::span<const std::uint32_t> indices, std::size_t count,
                              const std::stop_token& stop);

/// Extracts the triangles `kept` and the vertices that they use, both in their original order. Triangle
/// counts refer to the new mesh; the counters of the surface extraction are copied. @throws KernelError;
/// Cancelled
TriangleMesh subset(const TriangleMesh& mesh, std::span<const std::uint64_t> kept,
                    const std::stop_token& stop);

/// Returns the number of triangles whose area is exactly zero. @throws Cancelled
std::uint64_t countZeroArea(std::span<const Vec3f> positions, std::span<const std::uint32_t> indices,
                            const std::stop_token& stop);

} // namespace scanloupe
