// Reads tiles that were written.
#include "engine/tiles/read_tile.h"

#include "engine/cloud/error.h"
#include "engine/inspect/unit_normals.h"
#include "engine/io/mesh_reader.h"
#include "kernels/core/parallel.h"

#include <fmt/format.h>
#include <numeric>

namespace scanloupe {

TileSurface readTile(const TileStore& store, const TilePlan& plan, const TileRecord& record,
                     const std::stop_token& stop) {
    const MeshFile file = readMeshOrScan(store.folder() / record.file, {}, stop);
    const PointCloud& vertices = *file.vertices;
    TileSurface surface;
    surface.points = record.points;
    surface.voxels = record.voxels;
    surface.ownVertices = record.vertices;
    surface.bricks = store.bricksOf(record.tile);
    surface.seams = store.seamsOf(record.tile);
    surface.mesh.normals = unitNormals(vertices, 1, stop);
    std::uint64_t own = 0, triangles = 0;
    for (const TileBrick& brick : surface.bricks) {
        own += brick.vertices;
        triangles += brick.triangles;
    }
    if (own != record.vertices || triangles != record.triangles ||
        vertices.size() != record.vertices + surface.seams.size() ||
        surface.mesh.normals.size() != vertices.size() || file.faces.indices.size() != 3 * record.triangles)
        throw EngineError(fmt::format("'{}' is damaged.", (store.folder() / record.file).string()),
                          "Start the job again: it computes that tile once more.");
    const Vec3d origin = plan.params().origin;
    surface.mesh.positions = Buffer<Vec3f>::host(vertices.size());
    parallelFor(vertices.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            surface.mesh.positions[i] = (vertices.position(i) - origin).as<float>();
    });
    surface.mesh.indices = hostCopy(std::span<const std::uint32_t>(file.faces.indices));
    return surface;
}

} // namespace scanloupe
