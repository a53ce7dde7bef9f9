// Divides surveys into tiles.
#include "engine/survey/tiles/tile_plan.h"

#include "engine/cloud/cloud_limits.h"
#include "engine/cloud/error.h"
#include "engine/recipe/parameters.h"
#include "engine/recipe/recipe.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/field_support.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe {

namespace {

/// Returns the quotient rounded down, for a positive divisor.
std::int64_t floorOf(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

[[noreturn]] void refuse(const char* what, const char* why) {
    throw EngineError(fmt::format("{} can't be used with tiles: {}", what, why),
                      "Remove this option, or process the scan without tiles.");
}

/// Returns the maximum distance from a vertex to a voxel that it may take values from, in voxels along each
/// axis. A vertex is next to a field node to which voxels contribute. Such a voxel is within the node's
/// reach, so the nearest voxel is at least as close.
Vec3i valueReach(const FieldLayout& layout, Vec3f voxelSize) {
    const Vec3f farthest = (layout.nodes.reach + Vec3i{2, 2, 2}).as<float>() * voxelSize;
    const float distance = std::sqrt(squaredNorm(farthest));
    Vec3i reach;
    for (int axis = 0; axis < 3; ++axis)
        reach[axis] = int(std::ceil(distance / voxelSize[axis])) + 1;
    return reach;
}

} // namespace

SurveyParams surveyParams(const Recipe& recipe, const Bounds& bounds) {
    checkLimits(recipe);
    if (!recipe.voxelSize)
        throw EngineError(
            "A voxel size is required for tiles: it can't be chosen automatically from some of the points.",
            "Set --voxel-size, in the unit of the coordinates.");
    if (recipe.rangeRotation != 0 || recipe.rangeInverted || recipe.section)
        refuse("A rotated or inverted range, or a section,", "tiles are parallel to the axes.");
    if (recipe.maxVoxels > 0 || recipe.maxPointsPerVoxel > 0)
        refuse("A maximum number of voxels or points per voxel",
               "its result depends on the order of all points.");
    if (recipe.decimateTo > 0)
        throw EngineError(
            fmt::format("Decimation to {} triangles can't be used with tiles.", recipe.decimateTo),
            "Use --tileset, which writes levels of detail, or larger voxels.");
    if (recipe.smoothSteps > 0)
        refuse("A smoothed surface", "a smoothed vertex depends on vertices of other tiles.");
    if (!recipe.edits.layers.empty())
        refuse("Edits", "they refer to a scan that is opened as a whole.");
    const FieldKind kind = recipe.field.value_or(FieldKind::occupancy);
    if (kind == FieldKind::signedDistance)
        refuse("A signed distance", "the orientation is propagated along the whole surface. Use "
                                    "density or occupancy (--field).");
    if (kind == FieldKind::density && !recipe.iso)
        throw EngineError(
            "An iso-value is required for the density field with tiles: it can't be chosen automatically "
            "from some of the points.",
            "Set --iso, in points per cubic metre.");
    SurveyParams params;
    const Vec3d size = *recipe.voxelSize;
    const Vec3d low = recipe.rangeMin.value_or(bounds.min - size);
    const Vec3d high = recipe.rangeMax.value_or(bounds.max + size);
    params.origin = detail::roundedOrigin({low, high});
    params.voxels.rangeMin = (low - params.origin).as<float>();
    params.voxels.rangeMax = (high - params.origin).as<float>();
    params.voxels.voxelSize = size.as<float>();
    params.voxels.strategy = recipe.voxelStrategy;
    params.voxels.pointVoxels = false;
    constexpr double finest = 1.0 / 32; // maximum rounding error of positions, in voxels
    for (int axis = 0; axis < 3; ++axis) {
        const double farthest = std::max(std::abs(double(params.voxels.rangeMin[axis])),
                                         std::abs(double(params.voxels.rangeMax[axis])));
        if (farthest * std::ldexp(1.0, -24) > finest * size[axis])
            throw EngineError(
                fmt::format("Voxels of {:g} are too small for this survey: at {:.0f} from its origin, single "
                            "precision coordinates are inaccurate by more than 1/32 voxel.",
                            size[axis], farthest),
                fmt::format("Process a smaller region (--range), or use voxels of at least {:.2g}.",
                            farthest * std::ldexp(1.0, -24) / finest));
    }
    params.field.kind = kind;
    const double longest = std::max({size.x, size.y, size.z});
    params.field.radius = float(recipe.radius.value_or(kind == FieldKind::occupancy ? 0 : 2 * longest));
    params.iso = float(recipe.iso.value_or(0.5)); // default for an occupancy
    return params;
}

TilePlan::TilePlan(const SurveyParams& params, double tileSize)
    : m_params(params), m_grid(gridShape(params.voxels)) {
    const FieldLayout layout = layoutOf(m_grid, params.field);
    m_lattice = layout.lattice;
    m_shift = layout.shift;
    m_brickDims = coveringBricks(m_lattice.dims);
    double count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double edge = double(m_grid.voxelSize[axis]) * kBrickEdge;
        constexpr double rounding = 1e-6; // relative rounding of the voxel size to single precision
        const double bricks = tileSize > 0 ? std::ceil(tileSize / edge * (1 - rounding)) : m_brickDims[axis];
        m_tileBricks[axis] = int(std::clamp(bricks, 1.0, double(m_brickDims[axis])));
        m_tiles[axis] = (m_brickDims[axis] + m_tileBricks[axis] - 1) / m_tileBricks[axis];
        count *= m_tiles[axis];
    }
    constexpr double most = 1 << 26;
    if (count > most)
        throw EngineError(
            fmt::format("Tiles of {:g} divide the survey into {:.0f} tiles, more than the maximum of {:.0f}.",
                        tileSize, count, most),
            "Use larger tiles (--tile-size), or a smaller region (--range).");
    // The surface of a tile requires the field in its own bricks, in the bricks above (its triangles use
    // their first vertices), and one more node around each vertex for its normal. A field value gathers from
    // voxels up to `reach` away, and bricks exist up to one voxel farther. Vertices take attribute values
    // from voxels around them.
    const Vec3i values = m_params.attributes.list.empty() ? Vec3i{} : valueReach(layout, m_grid.voxelSize);
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t rim = std::max(layout.nodes.reach[axis] + 1, values[axis]),
                           tile = std::int64_t{m_tileBricks[axis]} * kBrickEdge;
        auto& spans = m_tilesOfCells[std::size_t(axis)];
        spans.resize(std::size_t(m_grid.dims[axis]));
        for (std::int64_t cell = 0; cell < m_grid.dims[axis]; ++cell) {
            const std::int64_t node = cell + m_shift;
            // Tile t requires the nodes with 8 (t tile - 1) - rim <= node < 8 ((t + 1) tile + 1) + rim.
            const std::int64_t last = floorOf(node + rim + kBrickEdge, tile);
            const std::int64_t first = floorOf(node - rim - kBrickEdge, tile);
            spans[std::size_t(cell)] = {std::int32_t(std::max<std::int64_t>(first, 0)),
                                        std::int32_t(std::min<std::int64_t>(last, m_tiles[axis] - 1))};
        }
    }
}

std::size_t TilePlan::size() const {
    return std::size_t(m_tiles.x) * std::size_t(m_tiles.y) * std::size_t(m_tiles.z);
}

Vec3i TilePlan::placeOf(std::size_t tile) const {
    return brickOf(tile, m_tiles);
}

std::size_t TilePlan::indexOf(Vec3i place) const {
    return brickKey(place, m_tiles);
}

IndexBox TilePlan::bricksOf(std::size_t tile) const {
    const Vec3i low = placeOf(tile) * m_tileBricks;
    return {low, min(low + m_tileBricks, m_brickDims)};
}

IndexBox TilePlan::cellsOf(std::size_t tile) const {
    const IndexBox bricks = bricksOf(tile);
    const Vec3i shift{m_shift, m_shift, m_shift};
    return {bricks.low * kBrickEdge - shift, bricks.high * kBrickEdge - shift};
}

IndexBox TilePlan::cellsNear(std::size_t tile) const {
    const Vec3i place = placeOf(tile);
    IndexBox cells;
    for (int axis = 0; axis < 3; ++axis) {
        const auto& spans = tilesOfCells(axis); // both ends of the spans are in ascending order
        const auto begin = std::ranges::lower_bound(spans, place[axis], {}, &Span::last);
        const auto end = std::ranges::upper_bound(spans, place[axis], {}, &Span::first);
        cells.low[axis] = int(begin - spans.begin());
        cells.high[axis] = int(end - spans.begin());
    }
    return cells;
}

IndexBox TilePlan::tilesNear(const Bounds& box) const {
    IndexBox tiles;
    for (int axis = 0; axis < 3; ++axis) {
        const double edge = double(m_grid.voxelSize[axis]);
        // Includes one more cell on each side, since positions are rounded to single precision.
        const double low = (box.min[axis] - m_params.origin[axis] - double(m_grid.origin[axis])) / edge - 1;
        const double high = (box.max[axis] - m_params.origin[axis] - double(m_grid.origin[axis])) / edge + 1;
        const double most = m_grid.dims[axis] - 1;
        if (high < 0 || low > most + 1)
            return {};
        const auto& spans = tilesOfCells(axis);
        tiles.low[axis] = spans[std::size_t(std::clamp(low, 0.0, most))].first;
        tiles.high[axis] = spans[std::size_t(std::clamp(high, 0.0, most))].last + 1;
    }
    return tiles;
}

Bounds TilePlan::boundsOf(std::size_t tile) const {
    const IndexBox bricks = bricksOf(tile);
    const Vec3f low = m_lattice.position(bricks.low * kBrickEdge),
                high = m_lattice.position(min(bricks.high * kBrickEdge, m_lattice.dims));
    return {low.as<double>() + m_params.origin, high.as<double>() + m_params.origin};
}

Bounds TilePlan::boundsNear(std::size_t tile) const {
    const IndexBox cells = cellsNear(tile);
    const Vec3d low = m_grid.origin.as<double>() + m_params.origin, edge = m_grid.voxelSize.as<double>();
    return {low + cells.low.as<double>() * edge, low + cells.high.as<double>() * edge};
}

} // namespace scanloupe
