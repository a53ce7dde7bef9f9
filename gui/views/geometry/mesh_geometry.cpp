// Builds the triangles of the mesh view on the host, with coarser levels of detail by vertex clustering.
#include "engine/results/snapshot.h"
#include "gui/views/geometry/colour_look.h"
#include "gui/views/geometry/view_geometry.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace scanloupe::gui {

namespace {

constexpr std::size_t kGrain = 1 << 15;
constexpr std::uint32_t kChunkTriangles = 4096;
// growth of the clustering cells from level to level: about a quarter of the triangles
constexpr float kGrowth = 2;

std::vector<DrawChunk> chunksOf(const MeshPart& level, const std::stop_token& stop) {
    const auto total = static_cast<std::uint32_t>(level.indices.size() / 3);
    std::uint32_t size = kChunkTriangles;
    while (total / size > 4096 && size < kMeshPage)
        size *= 2;
    std::vector<DrawChunk> chunks(chunkCount(total, size));
    parallelChunks(total, size, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        constexpr float far = std::numeric_limits<float>::max();
        Vec3f low{far, far, far}, high{-far, -far, -far};
        for (std::size_t i = 3 * begin; i < 3 * end; ++i) {
            const Vec3f p = level.vertices[level.indices[i]].position;
            low = scanloupe::min(p, low); // this order of arguments ignores NaN
            high = scanloupe::max(p, high);
        }
        chunks[chunk] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), low,
                         high};
    });
    return chunks;
}

/// Extracts triangles with only the vertices that they reference, in the order of first use.
MeshPart extractPart(const MeshPart& mesh, std::size_t firstTriangle, std::size_t triangles) {
    const auto indices = std::span(mesh.indices).subspan(3 * firstTriangle, 3 * triangles);
    const auto [low, high] = std::minmax_element(indices.begin(), indices.end());
    const std::uint32_t first = *low;
    std::vector<std::uint64_t> used((*high - first) / 64 + 1);
    for (const std::uint32_t index : indices)
        used[(index - first) / 64] |= std::uint64_t{1} << ((index - first) % 64);
    MeshPart part;
    std::vector<std::uint32_t> before(used.size()); // number of used vertices before each word
    std::uint32_t count = 0;
    for (std::size_t word = 0; word < used.size(); ++word) {
        before[word] = count;
        count += static_cast<std::uint32_t>(std::popcount(used[word]));
    }
    part.vertices.reserve(count);
    for (std::size_t word = 0; word < used.size(); ++word)
        for (std::uint64_t rest = used[word]; rest != 0; rest &= rest - 1)
            part.vertices.push_back(
                mesh.vertices[first + word * 64 + static_cast<std::size_t>(std::countr_zero(rest))]);
    part.indices.reserve(indices.size());
    for (const std::uint32_t index : indices) {
        const std::size_t word = (index - first) / 64;
        const std::uint64_t lower = (std::uint64_t{1} << ((index - first) % 64)) - 1;
        part.indices.push_back(before[word] + static_cast<std::uint32_t>(std::popcount(used[word] & lower)));
    }
    return part;
}

std::vector<MeshPart> pagesOf(const MeshPart& mesh, const std::stop_token& stop) {
    const std::size_t triangles = mesh.indices.size() / 3;
    std::vector<MeshPart> pages(chunkCount(triangles, kMeshPage));
    parallelChunks(triangles, kMeshPage, stop, [&](std::size_t page, std::size_t begin, std::size_t end) {
        pages[page] = extractPart(mesh, begin, end - begin);
    });
    return pages;
}

/// Mean length of some 1,000 edges or fewer, spread over the mesh.
float meanEdgeLength(const MeshPart& level) {
    constexpr std::size_t kSamples = 1000;
    const std::size_t triangles = level.indices.size() / 3, stride = triangles / kSamples + 1;
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t t = 0; t < triangles; t += stride, ++count)
        sum += norm(level.vertices[level.indices[3 * t]].position -
                    level.vertices[level.indices[3 * t + 1]].position);
    return count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : 0.0f;
}

MeshPart wholeMesh(const TriangleMesh& mesh, const Colouring& colours, const std::stop_token& stop) {
    MeshPart level;
    level.vertices.resize(mesh.vertexCount());
    const bool normals = mesh.normals.size() == mesh.vertexCount();
    parallelFor(mesh.vertexCount(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            level.vertices[i] =
                meshVertex(mesh.positions[i], normals ? mesh.normals[i] : Vec3f{}, colourBits(colours, i));
    });
    const auto indices = mesh.indices.span();
    for (const std::uint32_t index : indices)
        if (index >= mesh.vertexCount())
            throw KernelError("a triangle refers to a vertex that does not exist in the mesh",
                              "Open a complete mesh, or extract the surface again.");
    level.indices.assign(indices.begin(), indices.end());
    return level;
}

} // namespace

std::shared_ptr<const MeshGeometry> buildMeshGeometry(const Snapshot& snapshot, std::uint64_t coarsestLimit,
                                                      const std::stop_token& stop) {
    auto geometry = std::make_shared<MeshGeometry>();
    geometry->origin = snapshot.origin();
    if (!snapshot.mesh || snapshot.mesh->triangleCount() == 0)
        return geometry;
    const ColourValues colours =
        colourMesh(snapshot.resolved, colourSource(snapshot), snapshot.mesh.host(), stop);
    geometry->look = colourLook(colours);
    const ColourLook::Mode mode = geometry->look.mode;
    MeshPart level = wholeMesh(snapshot.mesh.host(), colours.colouring(), stop);
    float cell = meanEdgeLength(level) * kGrowth;
    constexpr int kMaxLevels = 12;
    for (int step = 0;; ++step, cell *= kGrowth) {
        geometry->levels.push_back(chunksOf(level, stop));
        geometry->pages.push_back(pagesOf(level, stop));
        const bool coarse = level.indices.size() / 3 <= coarsestLimit;
        if (coarse || step == kMaxLevels || !(cell > 0) || !std::isfinite(cell))
            break;
        level = clusterVertices(level, cell, mode, stop);
    }
    return geometry;
}

} // namespace scanloupe::gui
