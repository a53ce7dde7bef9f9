#pragma once
// Declares samples of boxes: small boxes of a cloud with all of their points, for forecasts of surfaces.
#include "engine/run/forecast/point_sample.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

class PointCloud;

/// Key of a cell in a grid of up to 2^20 cells along each axis.
using CellKey = std::uint64_t;

/// Boxes of one size, chosen at random among the boxes with points, and the points in and around them.
struct SampledBoxes {
    static constexpr int kRimParts = 4; ///< the rim: points around a box are kept up to a fourth of the box's
                                        ///< edge

    int depth = 0;       ///< a box's edge is the cube's edge / 2^depth
    double share = 1;    ///< fraction of the boxes' points that were kept; dense boxes only keep a random
                         ///< sample
    double coverage = 1; ///< fraction of all boxes with points that were chosen
    std::vector<CellKey> cells; ///< [B] keys of the boxes, in random order
    /// [B] weight of each box. It is larger for boxes with few points, because the sample of points seldom
    /// finds them.
    std::vector<double> weights;
    std::vector<std::uint32_t> partsOffset;  ///< [B + 1] index of each box's first part
    std::vector<std::uint32_t> parts;        ///< cells with a fourth of the box's edge, in a box and its rim
    std::vector<std::uint32_t> pointsOffset; ///< [parts + 1] index of each part's first point
    std::vector<Vec3f> points;               ///< metres, relative to the cloud's origin
};

/// Sampled boxes of several sizes, each half the previous one, in a cube around the cloud. The largest boxes
/// contain all points. Each size takes at most about 7 MB; a cloud of 100 M points has about seven sizes.
struct BoxSample {
    Vec3f low;      ///< lower corner of the cube, metres, relative to the cloud's origin
    float edge = 0; ///< edge of the cube, metres; 0: there are no boxes
    std::vector<SampledBoxes> sizes;

    double boxEdge(const SampledBoxes& boxes) const;
    /// Returns the box of depth `depth` that contains a position in the cube.
    CellKey cellOf(Vec3f position, int depth) const;
    Vec3f lowerCorner(CellKey cell, int depth) const;
};

/// Samples boxes by reading all points once, on all cores. The result is the same on every machine. @throws
/// Cancelled
BoxSample sampleBoxes(const PointCloud& cloud, const PointSample& sample, const std::stop_token& stop);

} // namespace scanloupe
