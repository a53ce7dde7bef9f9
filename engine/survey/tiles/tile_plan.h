#pragma once
// Declares the division of a survey into tiles, which consist of whole bricks of the field's lattice. Every
// voxel, field value, vertex and triangle belongs to exactly one tile, and the surface of a tile equals the
// same region of the whole surface, bit for bit.
#include "engine/survey/source/survey_attributes.h"
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

/// Parameters of the computation. All tiles have the same frame.
struct SurveyParams {
    Vec3d origin;          ///< origin of the coordinates that kernels use, in the file's frame
    VoxelizeParams voxels; ///< for the whole survey; ranges are relative to `origin`
    FieldParams field;     ///< occupancy or density
    float iso = 0;
    SurveyAttributes attributes = {}; ///< attributes for vertices and voxels
};

/// Returns the parameters of a recipe for a survey with these bounds (file's frame), without attributes.
/// @throws EngineError if the recipe lacks a parameter that can't be chosen from some of the points, or
///     contains a step whose result depends on the tiles
SurveyParams surveyParams(const Recipe& recipe, const Bounds& bounds);

/// The tiles of a survey. Tile (0, 0, 0) begins at the lattice's first node. All tiles have the same number
/// of bricks, except the last ones along each axis.
class TilePlan {
public:
    /// First and last tile along an axis that require the points of a cell.
    struct Span {
        std::int32_t first = 0, last = -1;
    };

    /// @param tileSize edge length of a tile, metres, rounded up to whole bricks; 0: a single tile
    /// @throws EngineError for too many tiles; KernelError as gridShape() and computeField()
    TilePlan(const SurveyParams& params, double tileSize);

    const SurveyParams& params() const { return m_params; }
    const GridShape& grid() const { return m_grid; }
    const LatticeShape& lattice() const { return m_lattice; }
    Vec3i brickDims() const { return m_brickDims; } ///< number of bricks of the whole lattice
    Vec3i tileBricks() const { return m_tileBricks; }
    Vec3i tiles() const { return m_tiles; } ///< number of tiles along x, y, z
    std::size_t size() const;               ///< total number of tiles, with or without points
    Vec3i placeOf(std::size_t tile) const;
    std::size_t indexOf(Vec3i place) const;

    /// Returns the bricks that a tile owns.
    IndexBox bricksOf(std::size_t tile) const;
    /// Returns the cells whose voxels a tile owns.
    IndexBox cellsOf(std::size_t tile) const;
    /// Returns the cells whose points a tile requires.
    IndexBox cellsNear(std::size_t tile) const;
    /// Returns the tiles that require the points of each cell along an axis, [grid().dims[axis]].
    const std::vector<Span>& tilesOfCells(int axis) const { return m_tilesOfCells[std::size_t(axis)]; }
    /// Returns the tiles that may require points in a box (file's frame); empty if the box is outside the
    /// grid.
    IndexBox tilesNear(const Bounds& box) const;
    template <class Use>
    void forTilesNear(const Bounds& box, Use&& use) const {
        const IndexBox near = tilesNear(box);
        for (int z = near.low.z; z < near.high.z; ++z)
            for (int y = near.low.y; y < near.high.y; ++y)
                for (int x = near.low.x; x < near.high.x; ++x)
                    use(indexOf({x, y, z}));
    }
    /// Returns the bounding box of the bricks that a tile owns, in the file's frame.
    Bounds boundsOf(std::size_t tile) const;
    /// Returns the bounding box of the cells whose points a tile requires, in the file's frame.
    Bounds boundsNear(std::size_t tile) const;

private:
    SurveyParams m_params;
    GridShape m_grid;
    LatticeShape m_lattice;
    int m_shift = 0; ///< index of the node at voxel 0
    Vec3i m_brickDims, m_tileBricks, m_tiles;
    std::array<std::vector<Span>, 3> m_tilesOfCells;
};

} // namespace scanloupe
