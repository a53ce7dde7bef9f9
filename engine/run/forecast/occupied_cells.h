#pragma once
// Declares estimates, from a sample, of how many cells of a grid all points of a cloud occupy.
#include "engine/run/forecast/estimate.h"
#include "engine/run/forecast/point_sample.h"
#include "kernels/cut/point_cut.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// The nodes around a cell, in cells. A point occupies all bricks that contain such nodes.
struct BrickReach {
    Vec3i nodes;   ///< number of nodes on either side of the point's own node
    int shift = 0; ///< index of the node of cell 0
};

/// The points of a sample inside a box, and estimates from them.
class OccupiedCells {
public:
    /// @param low, high metres, relative to the cloud's origin; as VoxelizeParams::rangeMin, rangeMax
    /// @param cut only points that it keeps are counted; relative to the cloud's origin
    /// @param part fraction of the sample to use; a small one is faster and less accurate
    OccupiedCells(const PointSample& sample, Vec3f low, Vec3f high, const PointCut& cut, double part = 1);

    /// Whether the box contains too few points of the sample, so that estimates have wide limits.
    bool isUnsure() const { return m_share < 1 && m_points.size() < 64; }
    /// Returns the number of points of the cloud in the box.
    Estimate points() const;
    /// Returns the number of cells with points, for cells of `size` metres from the lower corner of the box
    /// on. It is the mean of two estimates with opposite bias:
    /// 1. Self-similarity. A sample of 1 / r of the points has as many points in a cell as all of them have
    ///    in a cell with an edge r^(1/d) times smaller, and there are r times as many such cells. The
    ///    dimension d, 2 for surfaces and 3 for their noise, is fitted so that an eighth of the sample and
    ///    the sample agree. Good for cells of few points.
    /// 2. The gamma-Poisson model (negative binomial) of the points in a cell, fitted to how the number of
    ///    cells grew with the sample: Efron, Thisted, "Estimating the number of unseen species", 1976. Good
    ///    for cells of many points.
    /// Exact if the sample holds all points.
    Estimate cells(Vec3f size) const;
    /// Returns the number of bricks of kBrickEdge^3 nodes in which a field around these points is stored.
    Estimate bricks(Vec3f size, const BrickReach& reach) const;

private:
    /// Numbers of cells occupied by an eighth, a quarter, a half and all of the points.
    using Growth = std::array<double, 4>;

    template <class Add>
    Growth growth(std::size_t points, Add&& add) const;
    /// Returns an estimate for cells with few points. @param seen number of cells in the sample
    Estimate between(double seen) const;
    double countCells(Vec3f size, std::size_t points) const;
    double selfSimilar(Vec3f size, double all, double factor) const;

    std::vector<Vec3f> m_points; ///< metres, relative to the lower corner of the box
    double m_share;              ///< fraction of the cloud's points that are in the sample
};

} // namespace scanloupe
