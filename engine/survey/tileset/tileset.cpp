// Writes the surface of a survey as 3D Tiles, level by level.
#include "engine/survey/tileset/tileset.h"

#include "engine/cloud/attribute.h"
#include "engine/cloud/error.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/writers.h"
#include "engine/survey/tiles/read_tile.h"
#include "engine/survey/tileset/lod_leaves.h"
#include "engine/survey/tileset/lod_parts.h"
#include "engine/survey/tileset/node_files.h"
#include "engine/survey/tileset/tileset_json.h"
#include "kernels/core/cost.h"
#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_neighbours.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <set>
#include <span>

namespace scanloupe {

namespace fs = std::filesystem;

namespace {

void include(Bounds& box, bool& isEmpty, const Bounds& other) {
    for (int axis = 0; axis < 3; ++axis) {
        box.min[axis] = isEmpty ? other.min[axis] : std::min(box.min[axis], other.min[axis]);
        box.max[axis] = isEmpty ? other.max[axis] : std::max(box.max[axis], other.max[axis]);
    }
    isEmpty = false;
}

/// Returns a checksum of the content of a mesh.
Sha256Digest digestOf(const TriangleMesh& mesh, std::span<const std::uint32_t> colours) {
    const std::array<std::uint64_t, 2> sizes{mesh.vertexCount(), mesh.triangleCount()};
    Sha256 sum;
    sum.add(std::span<const std::uint64_t>(sizes));
    sum.add(std::span<const Vec3f>(mesh.positions.span()));
    sum.add(std::span<const Vec3f>(mesh.normals.span()));
    sum.add(std::span<const std::uint32_t>(mesh.indices.span()));
    sum.add(colours);
    return sum.digest();
}

class TilesetJob {
public:
    TilesetJob(const TileStore& store, const TilePlan& plan, const TilesetOptions& options,
               const std::stop_token& stop)
        : m_store(store), m_plan(plan), m_options(options), m_stop(stop),
          m_grid(plan.lattice(), options.leafBricks), m_parts(claimed(store).scratch()),
          m_files(store.job()) {}

    TilesetReport write(const std::vector<TileRecord>& tiles) {
        const WallTimer timer;
        m_steps = 2 * double(std::max<std::size_t>(tiles.size(), 1)); // writing the levels takes about as
                                                                      // long as reading the tiles
        for (const TileRecord& record : tiles) {
            if (record.mesh.exists())
                shareOut(record);
            advance();
        }
        const std::vector<LodNode> leaves(m_sharedLeaves.begin(), m_sharedLeaves.end());
        // All levels above 0 have a third more nodes than level 1 alone, and most of their nodes take two
        // steps.
        m_steps = double(leaves.size()) + 2 * (4.0 / 3) * double(m_clusters.size());
        m_done = m_steps;
        m_steps *= 2;
        forNodes(leaves, [&](const LodNode& node) {
            writeNode(node, m_parts.leaf(node).finish(m_grid, node));
            m_parts.remove(node);
        });
        std::set<LodNode> level = std::move(m_clusters);
        for (int number = 1; number < m_grid.levels(); ++number) {
            const std::vector<LodNode> nodes(level.begin(), level.end());
            level.clear();
            forNodes(nodes, [&](const LodNode& node) { writeClusters(node); });
            for (const LodNode& node : nodes)
                level.insert(node.parent());
            if (number + 1 < m_grid.levels()) {
                const std::vector<LodNode> above(level.begin(), level.end());
                forNodes(above, [&](const LodNode& node) { clusterChildren(node); });
            }
            for (const LodNode& node : nodes)
                m_parts.remove(node);
        }
        if (m_report.triangles == 0)
            throw EngineError("The survey has no surface, so no 3D Tiles can be written.",
                              "Use larger voxels (--voxel-size) or another iso-value (--iso).");
        closeBoxes();
        writeTilesetDocuments(m_store.folder(), m_nodes, m_files, m_grid, m_store.digestOf(tiles),
                              m_plan.params().origin, m_stop);
        m_files.keep();
        m_report.levels = m_grid.levels();
        m_report.nodes = m_nodes.size();
        m_report.wallMs = timer.elapsedMs();
        return m_report;
    }

private:
    /// Claims the files of the tileset before anything is written.
    static JobFolder& claimed(const TileStore& store) {
        store.job().claim({"tileset.json", "nodes"});
        return store.job();
    }

    void advance() {
        m_done = std::min(m_done + 1, m_steps);
        if (m_options.progress)
            m_options.progress(m_done / m_steps);
    }

    template <class Use>
    void forNodes(const std::vector<LodNode>& nodes, Use&& use) {
        parallelFor(nodes.size(), 1, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                use(nodes[i]);
                const std::lock_guard lock(m_mutex);
                advance();
            }
        });
    }

    /// Writes the leaves that are completely inside the tile. Stores other leaves and the clusters until the
    /// remaining tiles are done.
    void shareOut(const TileRecord& record) {
        TileNodes share = shareOf(readTile(m_store, m_plan, record, m_stop), m_grid, m_stop);
        const IndexBox bricks = m_plan.bricksOf(record.tile);
        std::vector<LodNode> whole;
        for (const auto& [node, leaf] : share.leaves)
            if (bricks.contains(m_grid.firstBrick(node)) &&
                bricks.contains(m_grid.endBrick(node) - Vec3i{1, 1, 1})) {
                whole.push_back(node);
            } else {
                m_parts.append(node, leaf);
                m_sharedLeaves.insert(node);
            }
        parallelFor(whole.size(), 1, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                writeNode(whole[i], share.leaves.at(whole[i]).finish(m_grid, whole[i]));
        });
        for (const auto& [node, cluster] : share.clusters) {
            m_parts.append(node, cluster);
            m_clusters.insert(node);
        }
    }

    void clusterChildren(const LodNode& node) {
        ClusterMesh mesh;
        for (int bits = 0; bits < 8; ++bits) {
            const LodNode child{node.level - 1, node.place * 2 + Vec3i{bits & 1, bits >> 1 & 1, bits >> 2}};
            if (const auto found = m_parts.clusterIfAny(child))
                mesh.addChild(m_grid, *found);
        }
        mesh.compact();
        m_parts.append(node, mesh);
    }

    void writeClusters(const LodNode& node) {
        std::array<std::optional<ClusterMesh>, kNeighbours> around;
        ClusterNeighbours given{};
        for (int slot = 0; slot < int(kNeighbours); ++slot) {
            const Vec3i place = node.place + Vec3i{slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1};
            auto& mesh = around[std::size_t(slot)];
            mesh = m_parts.clusterIfAny({node.level, place});
            given[std::size_t(slot)] = mesh ? &*mesh : nullptr;
        }
        writeNode(node, clusteredMesh(m_grid, node, given));
    }

    void writeNode(const LodNode& node, const NodeMesh& content) {
        const TriangleMesh& mesh = content.mesh;
        TilesetNode written;
        if (mesh.triangleCount() > 0) {
            written.vertices = mesh.vertexCount();
            written.ownVertices = content.ownVertices;
        }
        bool isEmpty = true;
        for (const Vec3f p : mesh.positions.span())
            include(written.box, isEmpty, {p.as<double>(), p.as<double>()});
        std::uint64_t bytes = 0;
        if (written.vertices > 0) {
            const bool hasColours = m_plan.params().attributes.colours.has_value();
            const auto colours = hasColours ? std::span(content.colours) : std::span<const std::uint32_t>();
            written.mesh = m_files.place(node, digestOf(mesh, colours), ".glb");
            const fs::path path = m_store.folder() / written.mesh;
            writeMesh(path, mesh, colours, {}, m_stop);
            bytes = fs::file_size(path);
        }
        const std::lock_guard lock(m_mutex);
        m_nodes[node] = written;
        m_report.triangles += mesh.triangleCount();
        m_report.bytes += bytes;
    }

    /// Extends the bounding boxes of nodes by those of their children. Leaves out nodes without triangles.
    void closeBoxes() {
        std::map<LodNode, std::vector<LodNode>> children;
        for (const auto& [node, written] : m_nodes)
            children[node.parent()].push_back(node);
        for (auto at = m_nodes.begin(); at != m_nodes.end();) { // in ascending order of levels
            auto& [node, written] = *at;
            bool isEmpty = written.vertices == 0;
            for (const LodNode& child : children[node])
                if (const auto found = m_nodes.find(child); found != m_nodes.end())
                    include(written.box, isEmpty, found->second.box);
            at = isEmpty ? m_nodes.erase(at) : std::next(at);
        }
    }

    const TileStore& m_store;
    const TilePlan& m_plan;
    const TilesetOptions& m_options;
    std::stop_token m_stop;
    LodGrid m_grid;
    LodParts m_parts;
    NodeFiles m_files;
    std::set<LodNode> m_sharedLeaves, m_clusters; ///< nodes of level 0, and of level 1, that have scratch
                                                  ///< files
    TilesetNodes m_nodes;
    TilesetReport m_report;
    double m_done = 0, m_steps = 1;
    std::mutex m_mutex; ///< guards m_nodes and m_report
};

} // namespace

TilesetReport writeTileset(const TileStore& store, const TilePlan& plan, const std::vector<TileRecord>& tiles,
                           const TilesetOptions& options, const std::stop_token& stop) {
    return TilesetJob(store, plan, options, stop).write(tiles);
}

} // namespace scanloupe
