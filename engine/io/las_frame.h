#pragma once
// Which steps a cloud's coordinates are stored in when they become integers.
#include "engine/cloud/point_cloud.h"

#include <stop_token>

namespace scanloupe::detail {

struct LasFrame {
    Vec3d scale{1, 1, 1}, offset;
    bool exact = true; ///< every coordinate comes back as it was

    /// The integers of a finite position.
    Vec3i quantize(Vec3d position) const;
};

/// The frame that the cloud has itself, where it holds integers. Else steps of a power of ten, where all
/// coordinates are decimal numbers of at most nine digits after the point; else the finest steps of a power
/// of two that the extent allows. @throws Cancelled
LasFrame chooseLasFrame(const PointCloud& cloud, const std::stop_token& stop);

} // namespace scanloupe::detail
