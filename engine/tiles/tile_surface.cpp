// Computes the surfaces of tiles, and cuts them at the borders of bricks.
#include "engine/tiles/tile_surface.h"

#include "engine/tiles/tile_voxels.h"
#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/operators.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <array>
#include <span>

namespace scanloupe {

namespace {

/// Bits of a vertex's number within its brick, which has at most 3 * 512 vertices.
constexpr int kNumberBits = 11;

/// The bricks whose vertices the triangles of a brick use: those at offsets of 0 or 1 along x, y and z.
class BrickCorners {
public:
    static constexpr std::size_t kBricks = 8;

    BrickCorners(const SurfaceBricks& bricks, Vec3i brickDims, std::size_t brick) : m_bricks(bricks) {
        const Vec3i at = brickOf(bricks.keys[brick], brickDims);
        for (std::size_t bits = 0; bits < kBricks; ++bits) {
            const Vec3i place = at + Vec3i{int(bits & 1), int(bits >> 1 & 1), int(bits >> 2)};
            m_numbers[bits] = bits == 0 ? brick : bricks.keys.size();
            if (bits == 0 || place.x >= brickDims.x || place.y >= brickDims.y || place.z >= brickDims.z)
                continue;
            const std::uint64_t key = brickKey(place, brickDims);
            const auto found = std::ranges::lower_bound(bricks.keys, key);
            if (found != bricks.keys.end() && *found == key)
                m_numbers[bits] = std::size_t(found - bricks.keys.begin());
        }
    }

    /// The bits of the offset of the brick that owns a vertex.
    std::size_t offsetOf(std::uint64_t vertex) const {
        for (std::size_t bits = 0; bits < kBricks; ++bits)
            if (const std::size_t b = m_numbers[bits]; b < m_bricks.keys.size() &&
                                                       vertex >= m_bricks.firstVertex[b] &&
                                                       vertex < m_bricks.firstVertex[b + 1])
                return bits;
        throw Fault("a triangle has a vertex of a brick that does not touch its own");
    }
    std::size_t brick(std::size_t bits) const { return m_numbers[bits]; }
    std::uint32_t numberOf(std::uint64_t vertex, std::size_t bits) const {
        return std::uint32_t(vertex - m_bricks.firstVertex[m_numbers[bits]]);
    }

private:
    const SurfaceBricks& m_bricks;
    std::array<std::size_t, kBricks> m_numbers; ///< in `bricks`; their number where there is none
};

/// The vertices that a part has, in its own order: those of its bricks, then those that it shares.
struct PartVertices {
    std::vector<std::uint32_t>
        firstOf; ///< [bricks] the number of a brick's first vertex; kShared: not its own
    std::vector<std::uint32_t> shared; ///< ascending numbers in the whole, of other bricks
    std::uint64_t own = 0;

    static constexpr std::uint32_t kShared = 0xffffffffu;
};

/// A brick of the part, as tiles of any size have it, and its triangles with the part's numbers.
class BrickCutter {
public:
    BrickCutter(const BrickedSurface& surface, const VertexValues& values, Vec3i brickDims,
                const PartVertices& vertices)
        : m_surface(surface), m_values(values), m_dims(brickDims), m_vertices(vertices) {}

    /// @param indices receives the triangles
    TileBrick cut(std::size_t brick, std::span<std::uint32_t> indices) {
        const SurfaceBricks& bricks = m_surface.bricks;
        const TriangleMesh& mesh = m_surface.mesh;
        const BrickCorners corners(bricks, m_dims, brick);
        const std::uint64_t vertex = bricks.firstVertex[brick], triangle = bricks.firstTriangle[brick];
        TileBrick described;
        described.key = bricks.keys[brick];
        described.vertices = std::uint32_t(bricks.firstVertex[brick + 1] - vertex);
        described.triangles = std::uint32_t(bricks.firstTriangle[brick + 1] - triangle);
        m_codes.clear();
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const std::uint32_t index = mesh.indices[3 * triangle + i];
            const std::size_t bits = corners.offsetOf(index);
            const std::uint32_t number = corners.numberOf(index, bits);
            m_codes.push_back(std::uint16_t(bits << kNumberBits | number));
            const std::uint32_t first = m_vertices.firstOf[corners.brick(bits)];
            indices[i] = first != PartVertices::kShared ? first + number : sharedNumber(index);
        }
        Sha256 sum;
        sum.add(std::span<const std::uint64_t>(&described.key, 1));
        sum.add(std::span<const Vec3f>(mesh.positions.span().subspan(vertex, described.vertices)));
        sum.add(std::span<const Vec3f>(mesh.normals.span().subspan(vertex, described.vertices)));
        if (!m_values.colours.empty())
            sum.add(std::span(m_values.colours).subspan(vertex, described.vertices));
        for (const std::vector<float>& channel : m_values.channels)
            sum.add(std::span(channel).subspan(vertex, described.vertices));
        sum.add(std::span<const std::uint16_t>(m_codes));
        described.digest = sum.digest();
        return described;
    }

private:
    std::uint32_t sharedNumber(std::uint32_t index) const {
        const auto found = std::ranges::lower_bound(m_vertices.shared, index);
        return std::uint32_t(m_vertices.own + std::uint64_t(found - m_vertices.shared.begin()));
    }

    const BrickedSurface& m_surface;
    const VertexValues& m_values;
    Vec3i m_dims;
    const PartVertices& m_vertices;
    std::vector<std::uint16_t> m_codes;
};

} // namespace

TileSurface partOf(const BrickedSurface& surface, const VertexValues& values, Vec3i brickDims,
                   const IndexBox& owned, const std::stop_token& stop) {
    constexpr std::size_t grain = 32; // bricks
    const SurfaceBricks& bricks = surface.bricks;
    const TriangleMesh& mesh = surface.mesh;
    std::vector<std::size_t> own; // of the bricks
    PartVertices vertices;
    vertices.firstOf.assign(bricks.size(), PartVertices::kShared);
    std::vector<std::uint64_t> firstTriangle{0};
    for (std::size_t b = 0; b < bricks.size(); ++b) {
        if (!owned.contains(brickOf(bricks.keys[b], brickDims)))
            continue;
        own.push_back(b);
        vertices.firstOf[b] = std::uint32_t(vertices.own);
        vertices.own += bricks.firstVertex[b + 1] - bricks.firstVertex[b];
        firstTriangle.push_back(firstTriangle.back() + bricks.firstTriangle[b + 1] - bricks.firstTriangle[b]);
    }
    const auto isAtUpperFace = [&](std::size_t b) {
        const Vec3i last = brickOf(bricks.keys[b], brickDims) + Vec3i{1, 1, 1};
        return last.x == owned.high.x || last.y == owned.high.y || last.z == owned.high.z;
    };
    for (const std::size_t b : own)
        if (isAtUpperFace(b)) {
            const BrickCorners corners(bricks, brickDims, b);
            for (std::uint64_t i = 3 * bricks.firstTriangle[b]; i < 3 * bricks.firstTriangle[b + 1]; ++i)
                if (vertices.firstOf[corners.brick(corners.offsetOf(mesh.indices[i]))] ==
                    PartVertices::kShared)
                    vertices.shared.push_back(mesh.indices[i]);
        }
    std::ranges::sort(vertices.shared);
    vertices.shared.erase(std::unique(vertices.shared.begin(), vertices.shared.end()), vertices.shared.end());

    TileSurface part;
    part.ownVertices = vertices.own;
    part.bricks.resize(own.size());
    part.mesh.positions = Buffer<Vec3f>::host(vertices.own + vertices.shared.size());
    part.mesh.normals = Buffer<Vec3f>::host(part.mesh.positions.size());
    part.mesh.indices = Buffer<std::uint32_t>::host(3 * firstTriangle.back());
    if (!values.colours.empty())
        part.values.colours.resize(part.mesh.positions.size());
    part.values.channels.assign(values.channels.size(), std::vector<float>(part.mesh.positions.size()));
    const auto copyValues = [&](std::uint64_t from, std::uint64_t count, std::uint64_t to) {
        if (!values.colours.empty())
            std::copy_n(values.colours.data() + from, count, part.values.colours.data() + to);
        for (std::size_t c = 0; c < values.channels.size(); ++c)
            std::copy_n(values.channels[c].data() + from, count, part.values.channels[c].data() + to);
    };
    parallelFor(own.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        BrickCutter cutter(surface, values, brickDims, vertices);
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t b = own[i];
            part.bricks[i] =
                cutter.cut(b, part.mesh.indices.span().subspan(
                                  3 * firstTriangle[i], 3 * (firstTriangle[i + 1] - firstTriangle[i])));
            const std::uint64_t first = bricks.firstVertex[b], count = bricks.firstVertex[b + 1] - first;
            std::copy_n(mesh.positions.data() + first, count,
                        part.mesh.positions.data() + vertices.firstOf[b]);
            std::copy_n(mesh.normals.data() + first, count, part.mesh.normals.data() + vertices.firstOf[b]);
            copyValues(first, count, vertices.firstOf[b]);
        }
    });
    for (std::size_t i = 0; i < vertices.shared.size(); ++i) {
        const std::uint32_t v = vertices.shared[i];
        part.mesh.positions[vertices.own + i] = mesh.positions[v];
        part.mesh.normals[vertices.own + i] = mesh.normals[v];
        copyValues(v, 1, vertices.own + i);
        const auto brick =
            std::size_t(std::ranges::upper_bound(bricks.firstVertex, v) - bricks.firstVertex.begin()) - 1;
        part.seams.push_back({bricks.keys[brick], std::uint32_t(v - bricks.firstVertex[brick])});
    }
    return part;
}

TileSurface tileSurface(const TileCloud& points, const TilePlan& plan, std::size_t tile, bool withVoxels,
                        const Execution& on) {
    if (points.positions.empty())
        return {};
    const SurveyParams& params = plan.params();
    const bool hasValues = !params.attributes.list.empty();
    BrickedSurface surface;
    VertexValues values;
    OwnVoxels own;
    {
        const bool needsCopy = on.onDevice() && points.positions.space() != MemorySpace::device;
        const Buffer<Vec3f> there =
            needsCopy ? points.positions.copyTo(MemorySpace::device, *on.device) : Buffer<Vec3f>();
        const Buffer<Vec3f>& given = needsCopy ? there : points.positions;
        VoxelizeParams voxels = params.voxels;
        voxels.pointVoxels = hasValues;
        const IndexBox cells = plan.cellsNear(tile);
        voxels.window = {cells.low, cells.high - cells.low};
        VoxelGrid grid = voxelize({given.data(), given.size(), {}}, given.space(), voxels, on);
        if (grid.size() == 0)
            return {};
        const VoxelValues averages =
            hasValues ? voxelValues(points, params.attributes, grid, on) : VoxelValues();
        own = ownVoxels(grid, averages, plan.cellsOf(tile), withVoxels, on);
        surface = extractBricks(computeField(grid, params.field, on), params.iso, on);
        if (hasValues)
            values = vertexValues(surface.mesh, grid, averages, params.attributes, on);
    }
    TileSurface part = partOf(surface, values, plan.brickDims(), plan.bricksOf(tile), on.stop);
    part.points = own.points;
    part.voxels = own.voxels;
    part.grid = std::move(own.grid);
    return part;
}

Sha256Digest surfaceDigest(std::vector<TileBrick> bricks) {
    std::ranges::sort(bricks, {}, &TileBrick::key);
    Sha256 sum;
    for (const TileBrick& brick : bricks)
        sum.add(std::span<const std::uint8_t>(brick.digest));
    return sum.digest();
}

} // namespace scanloupe
