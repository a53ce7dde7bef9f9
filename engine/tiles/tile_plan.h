#pragma once
// Declares the division of a survey into tiles of whole bricks of the field's lattice, so that every voxel,
// sample, vertex and triangle belongs to one of them, and a tile's part of the surface is that of the whole,
// bit for bit.
#include "engine/tiles/survey/survey_attributes.h"
#include "kernels/core/index_box.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace scanloupe {

struct Bounds;
struct Recipe;

/// Parameters of the computation, in one frame for all tiles.
struct SurveyParams {
    Vec3d origin;          ///< origin of the kernels' coordinates, file's frame
    VoxelizeParams voxels; ///< for the whole survey, relative to `origin`
    FieldParams field;     ///< occupancy or density
    float iso = 0;
    SurveyAttributes attributes = {}; ///< attributes of vertices and voxels
};

/// The parameters of a recipe for a survey with these bounds (file's frame), without attributes.
/// @throws EngineError where the recipe leaves out what can't be chosen from a part of the points, or asks
/// for results that depend on the tiles
SurveyParams surveyParams(const Recipe& recipe, const Bounds& bounds);

/// The tiles of a survey. Tile (0, 0, 0) begins at the lattice's first node; all have the same number of
/// bricks, except the last ones along each axis.
class TilePlan {
public:
    /// The tiles, first and last, that need the points of a cell, along one axis.
    struct Span {
        std::int32_t first = 0, last = -1;
    };

    /// @param tileSize metres along each axis, rounded up to whole bricks; 0: a single tile
    /// @throws EngineError for too many tiles; KernelError as gridShape() and computeField()
    TilePlan(const SurveyParams& params, double tileSize);

    const SurveyParams& params() const { return m_params; }
    const GridShape& grid() const { return m_grid; }
    const LatticeShape& lattice() const { return m_lattice; }
    Vec3i brickDims() const { return m_brickDims; } ///< dimensions of the whole lattice
    Vec3i tileBricks() const { return m_tileBricks; }
    Vec3i tiles() const { return m_tiles; } ///< along x, y, z
    std::size_t size() const;               ///< number of tiles, with or without points
    Vec3i placeOf(std::size_t tile) const;
    std::size_t indexOf(Vec3i place) const;

    /// The bricks that a tile owns.
    IndexBox bricksOf(std::size_t tile) const;
    /// The cells whose voxels it owns.
    IndexBox cellsOf(std::size_t tile) const;
    /// The cells whose points it needs.
    IndexBox cellsNear(std::size_t tile) const;
    /// The tiles that need the points of the cells along an axis, [grid().dims[axis]].
    const std::vector<Span>& tilesOfCells(int axis) const { return m_tilesOfCells[std::size_t(axis)]; }
    /// The tiles that may need points in a box (file's frame); empty when it is outside of the grid.
    IndexBox tilesNear(const Bounds& box) const;
    template <class Use>
    void forTilesNear(const Bounds& box, Use&& use) const {
        const IndexBox near = tilesNear(box);
        for (int z = near.low.z; z < near.high.z; ++z)
            for (int y = near.low.y; y < near.high.y; ++y)
                for (int x = near.low.x; x < near.high.x; ++x)
                    use(indexOf({x, y, z}));
    }
    /// The box of the bricks that a tile owns, file's frame.
    Bounds boundsOf(std::size_t tile) const;
    /// The box of the cells whose points it needs, file's frame.
    Bounds boundsNear(std::size_t tile) const;

private:
    SurveyParams m_params;
    GridShape m_grid;
    LatticeShape m_lattice;
    int m_shift = 0; ///< the node of voxel 0
    Vec3i m_brickDims, m_tileBricks, m_tiles;
    std::array<std::vector<Span>, 3> m_tilesOfCells;
};

} // namespace scanloupe
