// Distributes the surface of a tile among the leaves of an octree and their parents.
#include "engine/survey/tileset/lod_leaves.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_neighbours.h"

namespace scanloupe {

namespace {

/// Keys of a tile's vertices on levels 0 and 1.
struct VertexKeys {
    std::vector<std::uint64_t> leaf, cluster; ///< [vertices]
};

VertexKeys keysOf(const TileSurface& surface, const LodGrid& grid, const std::stop_token& stop) {
    const TriangleMesh& mesh = surface.mesh;
    VertexKeys keys{std::vector<std::uint64_t>(mesh.vertexCount()),
                    std::vector<std::uint64_t>(mesh.vertexCount())};
    const auto set = [&](std::size_t vertex, std::uint64_t brick, std::uint64_t number) {
        keys.leaf[vertex] = brick << LeafVertex::kNumberBits | number;
        const Vec3i cell = grid.latticeCell(mesh.positions[vertex], brickOf(brick, grid.brickDims()));
        keys.cluster[vertex] = grid.cellKey({cell.x >> 1, cell.y >> 1, cell.z >> 1});
    };
    std::vector<std::uint64_t> firstOf{0}; // index of each brick's first vertex
    for (const PartBrick& brick : surface.bricks)
        firstOf.push_back(firstOf.back() + brick.vertices);
    parallelFor(surface.bricks.size(), 64, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b)
            for (std::uint32_t i = 0; i < surface.bricks[b].vertices; ++i)
                set(firstOf[b] + i, surface.bricks[b].key, i);
    });
    for (std::size_t i = 0; i < surface.seams.size(); ++i)
        set(surface.ownVertices + i, surface.seams[i].brick, surface.seams[i].number);
    return keys;
}

} // namespace

TileNodes shareOf(const TileSurface& surface, const LodGrid& grid, const std::stop_token& stop) {
    const TriangleMesh& mesh = surface.mesh;
    const VertexKeys keys = keysOf(surface, grid, stop);
    const bool hasClusters = grid.levels() > 1;
    const auto leafOf = [&](std::uint64_t key) {
        return grid.nodeOfBrick(brickOf(key >> LeafVertex::kNumberBits, grid.brickDims()), 0);
    };
    const auto colourOf = [&](std::size_t vertex) {
        return surface.values.colours.empty() ? 0 : surface.values.colours[vertex];
    };
    TileNodes share;
    std::uint64_t vertex = 0, triangle = 0;
    for (const PartBrick& brick : surface.bricks) {
        const Vec3i place = brickOf(brick.key, grid.brickDims());
        const LodNode node = grid.nodeOfBrick(place, 0);
        LeafMesh& leaf = share.leaves[node];
        ClusterMesh* cluster = hasClusters ? &share.clusters[grid.nodeOfBrick(place, 1)] : nullptr;
        const std::uint64_t endVertex = vertex + brick.vertices, endTriangle = triangle + brick.triangles;
        for (; vertex < endVertex; ++vertex) {
            leaf.vertices.push_back(
                {keys.leaf[vertex], mesh.positions[vertex], mesh.normals[vertex], colourOf(vertex)});
            if (cluster)
                cluster->cells.push_back(cellSum(grid, keys.cluster[vertex], mesh.positions[vertex],
                                                 mesh.normals[vertex], colourOf(vertex)));
        }
        for (; triangle < endTriangle; ++triangle) {
            LodTriangle corners{}, cells{};
            for (std::size_t i = 0; i < 3; ++i) {
                const std::uint32_t corner = mesh.indices[3 * triangle + i];
                corners[i] = keys.leaf[corner];
                cells[i] = keys.cluster[corner];
                if (leafOf(corners[i]) != node)
                    leaf.vertices.push_back(
                        {corners[i], mesh.positions[corner], mesh.normals[corner], colourOf(corner)});
            }
            leaf.triangles.push_back(fromLeastCorner(corners));
            if (cluster && cells[0] != cells[1] && cells[1] != cells[2] && cells[2] != cells[0])
                cluster->triangles.push_back(fromLeastCorner(cells));
        }
    }
    for (auto& [node, cluster] : share.clusters)
        cluster.compact();
    return share;
}

} // namespace scanloupe
