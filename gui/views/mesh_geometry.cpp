#include "gui/views/colour_look.h"
#include "gui/views/view_geometry.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe::gui {

namespace {

constexpr std::size_t kGrain = 1 << 15;
constexpr std::uint32_t kChunkTriangles = 4096;
constexpr float kGrowth = 2; // of the cells from level to level: about a quarter of the triangles

std::array<std::int16_t, 4> packed(Vec3f normal) {
    const auto part = [](float v) {
        return static_cast<std::int16_t>(v >= -1 && v <= 1 ? std::lround(v * 32767) : 0);
    };
    return {part(normal.x), part(normal.y), part(normal.z), 0};
}

std::vector<DrawChunk> chunksOf(const MeshGeometry::Level& level, const std::stop_token& stop) {
    const auto total = static_cast<std::uint32_t>(level.indices.size() / 3);
    std::uint32_t size = kChunkTriangles;
    while (total / size > 4096)
        size *= 2;
    std::vector<DrawChunk> chunks(chunkCount(total, size));
    parallelChunks(total, size, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        constexpr float far = std::numeric_limits<float>::max();
        Vec3f low{far, far, far}, high{-far, -far, -far};
        for (std::size_t i = 3 * begin; i < 3 * end; ++i) {
            const Vec3f p = level.vertices[level.indices[i]].position;
            low = scanloupe::min(p, low); // in this order a NaN changes nothing
            high = scanloupe::max(p, high);
        }
        chunks[chunk] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), low,
                         high};
    });
    return chunks;
}

/// Mean length of some edges spread over the mesh.
float typicalEdge(const MeshGeometry::Level& level) {
    constexpr std::size_t kSamples = 1000;
    const std::size_t triangles = level.indices.size() / 3, stride = triangles / kSamples + 1;
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t t = 0; t < triangles; t += stride, ++count)
        sum += norm(level.vertices[level.indices[3 * t]].position -
                    level.vertices[level.indices[3 * t + 1]].position);
    return count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : 0.0f;
}

MeshGeometry::Level wholeMesh(const TriangleMesh& mesh, const ColourValues& colours, ColourLook::Mode mode,
                              const std::stop_token& stop) {
    MeshGeometry::Level level;
    level.vertices.resize(mesh.vertexCount());
    const bool normals = mesh.normals.size() == mesh.vertexCount();
    parallelFor(mesh.vertexCount(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            level.vertices[i] = {mesh.positions[i], packed(normals ? mesh.normals[i] : Vec3f{}),
                                 colourBits(colours, mode, i)};
    });
    const auto indices = mesh.indices.span();
    for (const std::uint32_t index : indices)
        if (index >= mesh.vertexCount())
            throw KernelError("a triangle names a vertex that the mesh does not have",
                              "Open a mesh that is whole, or extract the surface again.");
    level.indices.assign(indices.begin(), indices.end());
    return level;
}

} // namespace

std::shared_ptr<const MeshGeometry> buildMeshGeometry(const Snapshot& snapshot, std::uint64_t enough,
                                                      const std::stop_token& stop) {
    auto geometry = std::make_shared<MeshGeometry>();
    geometry->origin = snapshot.origin();
    if (!snapshot.mesh || snapshot.mesh->triangleCount() == 0)
        return geometry;
    const ColourValues colours = colourMesh(snapshot.resolved, colourSource(snapshot), *snapshot.mesh, stop);
    geometry->look = colourLook(colours);
    const ColourLook::Mode mode = geometry->look.mode;
    geometry->meshLevels.push_back(wholeMesh(*snapshot.mesh, colours, mode, stop));
    float cell = typicalEdge(geometry->meshLevels.front()) * kGrowth;
    constexpr int kMostLevels = 12;
    for (int step = 0; step < kMostLevels && cell > 0 && std::isfinite(cell); ++step, cell *= kGrowth) {
        if (geometry->meshLevels.back().indices.size() / 3 <= enough)
            break;
        geometry->meshLevels.push_back(clusterMesh(geometry->meshLevels.back(), cell, mode, stop));
    }
    for (const auto& level : geometry->meshLevels)
        geometry->levels.push_back(chunksOf(level, stop));
    return geometry;
}

} // namespace scanloupe::gui
