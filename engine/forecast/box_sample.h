#pragma once
// Declares samples of boxes: all points of a cloud in some small boxes, for forecasts of surfaces.
#include "engine/forecast/point_sample.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Names a cell of a grid of up to 2^20 cells along each axis.
using CellKey = std::uint64_t;

/// Boxes of one size, chosen at random among those with points, and the points in and around them.
struct SampledBoxes {
    static constexpr int kRimParts = 4; ///< points are kept up to a fourth of a box's edge around it

    int depth = 0;       ///< a box's edge is that of the cube / 2^depth
    double share = 1;    ///< fraction of the boxes' points that were kept: in dense boxes a random sample
    double coverage = 1; ///< fraction of all boxes with points that were chosen
    std::vector<CellKey> cells; ///< [B] keys of the boxes, in random order
    /// [B] weight of each box: those of few points are seldom found by the sample of points.
    std::vector<double> weights;
    std::vector<std::uint32_t> partsOffset;  ///< [B + 1] of each box's parts
    std::vector<std::uint32_t> parts;        ///< cells of a fourth of the edge in a box and its rim
    std::vector<std::uint32_t> pointsOffset; ///< [parts + 1] of each part's points
    std::vector<Vec3f> points;               ///< metres, relative to the cloud's origin
};

/// Boxes of sizes that halve, within a cube around the cloud; the largest ones contain all of its points.
/// Takes at most some 7 MB for each size, of which there are about seven for 100 M points.
struct BoxSample {
    Vec3f low;      ///< lower corner of the cube, metres, relative to the cloud's origin
    float edge = 0; ///< edge of the cube, metres; 0: there are no boxes
    std::vector<SampledBoxes> sizes;

    double boxEdge(const SampledBoxes& boxes) const;
    /// The box of depth `depth` that contains a position in the cube.
    CellKey cellOf(Vec3f position, int depth) const;
    Vec3f lowerCorner(CellKey cell, int depth) const;
};

/// Reads all points once, on all cores; the same boxes on every machine. @throws Cancelled
BoxSample sampleBoxes(const PointCloud& cloud, const PointSample& sample, const std::stop_token& stop);

} // namespace scanloupe
