// Finds the connected parts of a surface across the seams of its tiles, and writes the tiles without small
// parts.
#include "engine/survey/tiles/tile_cleanup.h"

#include "engine/cloud/error.h"
#include "engine/survey/tiles/read_tile.h"
#include "kernels/core/parallel.h"
#include "kernels/core/sha256.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/mesh/cleanup/disjoint_sets.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace scanloupe {

namespace {

constexpr std::size_t kTileCleanupGrain = std::size_t{1} << 15; // number of triangles or vertices

/// The parts of a tile's surface, connected only by the tile's own triangles.
struct TileParts {
    std::vector<std::uint32_t> partOf;    ///< [vertices] index of the part; parts are in ascending order of
                                          ///< their first vertex
    std::vector<std::uint64_t> triangles; ///< [parts] number of triangles
};

TileParts partsOf(const TriangleMesh& mesh, const std::stop_token& stop) {
    const auto indices = mesh.indices.span();
    DisjointSets sets(mesh.vertexCount(), stop);
    parallelFor(mesh.triangleCount(), kTileCleanupGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            sets.join(indices[3 * t], indices[3 * t + 1]);
            sets.join(indices[3 * t + 1], indices[3 * t + 2]);
        }
    });
    const auto roots = sets.roots(stop);
    TileParts parts;
    parts.partOf.resize(roots.size());
    for (std::size_t v = 0; v < roots.size(); ++v) // the root of a set is its smallest index, which is the
                                                   // part's first vertex
        if (roots[v] == v) {
            parts.partOf[v] = std::uint32_t(parts.triangles.size());
            parts.triangles.push_back(0);
        } else {
            parts.partOf[v] = parts.partOf[roots[v]];
        }
    for (std::size_t t = 0; t < mesh.triangleCount(); ++t)
        ++parts.triangles[parts.partOf[indices[3 * t]]];
    return parts;
}

/// For each vertex of a brick, the index of its part of the whole surface.
class BrickParts {
public:
    explicit BrickParts(std::vector<std::uint32_t> parts) : m_parts(std::move(parts)) {
        if (std::ranges::all_of(m_parts, [this](std::uint32_t part) { return part == m_parts.front(); }))
            m_parts.resize(std::min<std::size_t>(m_parts.size(), 1)); // true for nearly all bricks
        m_parts.shrink_to_fit();
    }
    /// Returns the part of a vertex, or nullopt if the brick has no such vertex: if points of a tile are
    /// missing, its neighbours may refer to vertices that do not exist.
    std::optional<std::uint32_t> partOf(std::uint32_t number) const {
        if (m_parts.size() == 1)
            return m_parts.front();
        return number < m_parts.size() ? std::optional(m_parts[number]) : std::nullopt;
    }
    /// Returns the new number of a vertex after all vertices that are not kept have been removed.
    template <class IsKept>
    std::uint32_t numberOf(std::uint32_t number, IsKept&& isKept) const {
        if (number >= m_parts.size())
            return number; // all vertices of the brick are kept, or the vertex is missing
        return std::uint32_t(std::count_if(m_parts.begin(), m_parts.begin() + number, isKept));
    }

private:
    std::vector<std::uint32_t> m_parts;
};

/// Returns a brick after clean-up, with an updated checksum. @param vertices, triangles numbers of the
/// remaining ones
PartBrick brickLeft(const PartBrick& before, std::span<const std::uint32_t> vertices,
                    std::span<const std::uint32_t> triangles) {
    PartBrick brick = before;
    if (vertices.size() == before.vertices && triangles.size() == before.triangles)
        return brick;
    brick.vertices = std::uint32_t(vertices.size());
    brick.triangles = std::uint32_t(triangles.size());
    Sha256 sum;
    sum.add(std::span<const std::uint8_t>(before.digest));
    sum.add(triangles);
    sum.add(vertices);
    brick.digest = sum.digest();
    return brick;
}

/// Returns a number that identifies the surface and the clean-up parameters.
std::uint64_t identityOf(const Sha256Digest& surface, std::uint64_t minTriangles) {
    Sha256 sum;
    sum.add(std::span<const std::uint8_t>(surface));
    sum.add(std::span<const std::uint64_t>(&minTriangles, 1));
    const Sha256Digest digest = sum.digest();
    std::uint64_t identity = 0;
    std::memcpy(&identity, digest.data(), sizeof identity);
    return identity;
}

class CleanUpJob {
public:
    CleanUpJob(const TileStore& from, const TileStore& to, const TilePlan& plan,
               const std::vector<TileRecord>& tiles, std::uint64_t minTriangles,
               const ProgressFunction& progress, const std::stop_token& stop)
        : m_from(from), m_to(to), m_plan(plan), m_tiles(tiles), m_minTriangles(minTriangles),
          m_progress(progress), m_stop(stop) {}

    CleanedTiles run() {
        findSeams();
        for (const TileRecord& record : m_tiles) {
            if (record.mesh.exists())
                findParts(record);
            advance();
        }
        joinSeams();
        CleanedTiles cleaned;
        cleaned.report = m_report;
        const std::uint64_t identity = identityOf(m_from.digestOf(m_tiles), m_minTriangles);
        for (const TileRecord& record : m_tiles) {
            cleaned.tiles.push_back(written(record, identity));
            advance();
        }
        cleaned.digest = m_to.digestOf(cleaned.tiles);
        return cleaned;
    }

private:
    void advance() {
        if (m_progress)
            m_progress(++m_done / (2 * double(std::max<std::size_t>(m_tiles.size(), 1))));
    }

    /// Records the bricks that neighbouring tiles refer to.
    void findSeams() {
        for (const TileRecord& record : m_tiles) {
            if (!record.mesh.exists())
                continue;
            for (const SeamVertex& seam : m_from.seamsOf(record.tile))
                m_seamBricks.try_emplace(seam.brick, BrickParts({}));
        }
    }

    void findParts(const TileRecord& record) {
        const TileSurface surface = readTile(m_from, m_plan, record, m_stop);
        const TileParts parts = partsOf(surface.mesh, m_stop);
        constexpr std::size_t most = 0xffffffff;
        const std::size_t first = m_triangles.size();
        if (first + parts.triangles.size() > most)
            throw EngineError(
                "The surface has more than 4294967295 connected parts, the maximum for the clean-up.",
                "Process a smaller region (--range), or use larger voxels (--voxel-size).");
        m_firstPart[record.tile] = std::uint32_t(first);
        m_triangles.insert(m_triangles.end(), parts.triangles.begin(), parts.triangles.end());
        std::uint64_t vertex = 0;
        for (const PartBrick& brick : surface.bricks) {
            if (const auto found = m_seamBricks.find(brick.key); found != m_seamBricks.end()) {
                std::vector<std::uint32_t> here;
                for (std::uint32_t i = 0; i < brick.vertices; ++i)
                    here.push_back(std::uint32_t(first) + parts.partOf[vertex + i]);
                found->second = BrickParts(std::move(here));
            }
            vertex += brick.vertices;
        }
        std::vector<std::uint32_t>& seams = m_seamParts[record.tile];
        for (std::size_t i = 0; i < surface.seams.size(); ++i)
            seams.push_back(std::uint32_t(first) + parts.partOf[surface.ownVertices + i]);
    }

    /// Joins the parts of different tiles that share vertices.
    void joinSeams() {
        DisjointSets sets(m_triangles.size(), m_stop);
        for (const auto& [tile, parts] : m_seamParts) {
            const std::vector<SeamVertex> seams = m_from.seamsOf(tile);
            for (std::size_t i = 0; i < seams.size(); ++i)
                if (const auto other = m_seamBricks.at(seams[i].brick).partOf(seams[i].number))
                    sets.join(parts[i], *other);
        }
        m_seamParts.clear();
        const auto roots = sets.roots(m_stop);
        for (std::size_t p = roots.size(); p-- > 0;) // a root is the smallest index of its set
            if (roots[p] != p)
                m_triangles[roots[p]] += std::exchange(m_triangles[p], 0);
        m_report.minTriangles = m_minTriangles;
        m_isKept.resize(roots.size());
        for (std::size_t p = 0; p < roots.size(); ++p) {
            const std::uint64_t triangles = m_triangles[roots[p]];
            m_isKept[p] = triangles >= m_minTriangles;
            if (roots[p] != p || triangles == 0)
                continue;
            ++m_report.parts;
            if (!m_isKept[p]) {
                ++m_report.removedParts;
                m_report.removedTriangles += triangles;
            }
        }
    }

    TileRecord written(const TileRecord& record, std::uint64_t identity) {
        if (auto known = m_to.finished(record.tile, identity)) {
            known->points = record.points; // the number of points may differ although the surface is the same
            known->voxels = record.voxels;
            return *known;
        }
        TileSurface left;
        if (record.mesh.exists())
            left = cleaned(readTile(m_from, m_plan, record, m_stop), m_firstPart.at(record.tile));
        left.points = record.points;
        left.voxels = record.voxels;
        return m_to.write(record.tile, left, identity, record.missing, m_stop);
    }

    TileSurface cleaned(const TileSurface& surface, std::uint32_t firstPart) const {
        const TriangleMesh& mesh = surface.mesh;
        const TileParts parts = partsOf(mesh, m_stop);
        const auto isKept = [&](std::size_t vertex) {
            return bool(m_isKept[firstPart + parts.partOf[vertex]]);
        };
        TileSurface left;
        std::vector<std::uint32_t> vertices, triangles; // indices of those that are kept
        std::vector<std::uint32_t> numberOf(mesh.vertexCount());
        std::uint32_t vertex = 0, triangle = 0; // first vertex and triangle of the brick
        for (const PartBrick& brick : surface.bricks) {
            std::vector<std::uint32_t> verticesHere, trianglesHere; // indices within the brick of those that
                                                                    // are kept
            for (std::uint32_t i = 0; i < brick.vertices; ++i)
                if (isKept(vertex + i)) {
                    numberOf[vertex + i] = std::uint32_t(vertices.size());
                    vertices.push_back(vertex + i);
                    verticesHere.push_back(i);
                }
            for (std::uint32_t i = 0; i < brick.triangles; ++i)
                if (isKept(mesh.indices[3 * (std::size_t{triangle} + i)])) {
                    triangles.push_back(triangle + i);
                    trianglesHere.push_back(i);
                }
            vertex += brick.vertices;
            triangle += brick.triangles;
            if (!verticesHere.empty() || !trianglesHere.empty())
                left.bricks.push_back(brickLeft(brick, verticesHere, trianglesHere));
        }
        left.ownVertices = vertices.size();
        for (std::size_t i = 0; i < surface.seams.size(); ++i) {
            const std::size_t at = surface.ownVertices + i;
            if (!isKept(at))
                continue;
            const SeamVertex& seam = surface.seams[i];
            numberOf[at] = std::uint32_t(vertices.size());
            vertices.push_back(std::uint32_t(at));
            left.seams.push_back(
                {seam.brick, m_seamBricks.at(seam.brick).numberOf(seam.number, [&](std::uint32_t part) {
                     return bool(m_isKept[part]);
                 })});
        }
        left.mesh.positions = Buffer<Vec3f>::host(vertices.size());
        left.mesh.normals = Buffer<Vec3f>::host(vertices.size());
        left.mesh.indices = Buffer<std::uint32_t>::host(3 * triangles.size());
        if (!surface.values.colours.empty())
            left.values.colours.resize(vertices.size());
        left.values.channels.assign(surface.values.channels.size(), std::vector<float>(vertices.size()));
        parallelFor(vertices.size(), kTileCleanupGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                left.mesh.positions[i] = mesh.positions[vertices[i]];
                left.mesh.normals[i] = mesh.normals[vertices[i]];
                if (!left.values.colours.empty())
                    left.values.colours[i] = surface.values.colours[vertices[i]];
                for (std::size_t c = 0; c < left.values.channels.size(); ++c)
                    left.values.channels[c][i] = surface.values.channels[c][vertices[i]];
            }
        });
        parallelFor(triangles.size(), kTileCleanupGrain, m_stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t)
                for (std::size_t i = 0; i < 3; ++i)
                    left.mesh.indices[3 * t + i] = numberOf[mesh.indices[3 * std::size_t{triangles[t]} + i]];
        });
        return left;
    }

    const TileStore& m_from;
    const TileStore& m_to;
    const TilePlan& m_plan;
    const std::vector<TileRecord>& m_tiles;
    std::uint64_t m_minTriangles;
    const ProgressFunction& m_progress;
    std::stop_token m_stop;
    double m_done = 0;
    std::map<std::uint64_t, BrickParts> m_seamBricks; ///< parts of the bricks that neighbours refer to, by
                                                      ///< the brick's key
    std::map<std::size_t, std::uint32_t> m_firstPart; ///< index of each tile's first part
    std::map<std::size_t, std::vector<std::uint32_t>> m_seamParts; ///< [seams] part of each seam vertex, by
                                                                   ///< tile
    std::vector<std::uint64_t> m_triangles;                        ///< [parts] number of triangles, for the
                                                                   ///< parts of all tiles
    std::vector<char> m_isKept;                                    ///< [parts]
    CleanUpReport m_report;
};

} // namespace

CleanedTiles cleanTiles(const TileStore& from, const TileStore& to, const TilePlan& plan,
                        const std::vector<TileRecord>& tiles, std::uint64_t minTriangles,
                        const ProgressFunction& progress, const std::stop_token& stop) {
    return CleanUpJob(from, to, plan, tiles, minTriangles, progress, stop).run();
}

} // namespace scanloupe
