// Computes the surfaces of tiles, and cuts them at brick borders.
#include "engine/survey/tiles/tile_surface.h"

#include "engine/survey/tiles/tile_voxels.h"
#include "kernels/core/parallel.h"
#include "kernels/field/operators.h"
#include "kernels/mesh/operators.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <span>

namespace scanloupe {

namespace {

/// Returns the values as columns for the checksum.
std::vector<VertexColumn> columnsOf(const VertexValues& values) {
    std::vector<VertexColumn> columns;
    if (!values.colours.empty())
        columns.push_back(std::as_bytes(std::span(values.colours)));
    for (const std::vector<float>& channel : values.channels)
        columns.push_back(std::as_bytes(std::span(channel)));
    return columns;
}

/// Selects the values of a part's vertices. @param values those of the whole surface's vertices
VertexValues valuesOf(const SurfacePart& part, const SurfaceBricks& bricks, const VertexValues& values,
                      const std::stop_token& stop) {
    constexpr std::size_t grain = 256; // number of bricks, or of seam vertices
    VertexValues taken;
    const std::size_t count = part.mesh.vertexCount();
    if (!values.colours.empty())
        taken.colours.resize(count);
    taken.channels.assign(values.channels.size(), std::vector<float>(count));
    const auto copy = [&](std::uint64_t from, std::uint64_t vertices, std::uint64_t to) {
        if (!values.colours.empty())
            std::copy_n(values.colours.data() + from, vertices, taken.colours.data() + to);
        for (std::size_t c = 0; c < values.channels.size(); ++c)
            std::copy_n(values.channels[c].data() + from, vertices, taken.channels[c].data() + to);
    };
    const auto firstOf = [&](std::uint64_t key) {
        return bricks
            .firstVertex[std::size_t(std::ranges::lower_bound(bricks.keys, key) - bricks.keys.begin())];
    };
    std::vector<std::uint64_t> to{0}; // index of each brick's first vertex
    for (const PartBrick& brick : part.bricks)
        to.push_back(to.back() + brick.vertices);
    parallelFor(part.bricks.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            copy(firstOf(part.bricks[i].key), part.bricks[i].vertices, to[i]);
    });
    parallelFor(part.seams.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            copy(firstOf(part.seams[i].brick) + part.seams[i].number, 1, part.ownVertices + i);
    });
    return taken;
}

} // namespace

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
    const Vec3i dims = plan.brickDims();
    TileSurface part;
    static_cast<SurfacePart&>(part) = orOnHost(on, [&](const Execution& where) {
        if (where.onDevice() == on.onDevice())
            return cutSurface(surface, columnsOf(values), dims, plan.bricksOf(tile), where);
        const BrickedSurface here{surface.mesh.download(*on.device), surface.bricks};
        return cutSurface(here, columnsOf(values), dims, plan.bricksOf(tile), where);
    });
    if (hasValues)
        part.values = valuesOf(part, surface.bricks, values, on.stop);
    part.points = own.points;
    part.voxels = own.voxels;
    part.grid = std::move(own.grid);
    return part;
}

Sha256Digest surfaceDigest(std::vector<PartBrick> bricks) {
    std::ranges::sort(bricks, {}, &PartBrick::key);
    Sha256 sum;
    for (const PartBrick& brick : bricks)
        sum.add(std::span<const std::uint8_t>(brick.digest));
    return sum.digest();
}

} // namespace scanloupe
