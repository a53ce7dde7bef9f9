#pragma once
// Declares the transformation that aligns picked pairs of points.
#include "kernels/core/rigid_transform.h"

#include <span>
#include <vector>

namespace scanloupe {

/// Corresponding points: of the scan, and of the reference.
struct PickedPair {
    Vec3d scan, reference;
};

/// Maps a point p of the scan to scale * motion(p).
struct Orientation {
    RigidTransform motion;
    double scale = 1;
    std::vector<double> residuals; ///< [N] distances of the pairs afterwards
    double rms = 0;                ///< of them
};

/// The least-squares rotation, translation and, if it is free, scale (Horn, "Closed-form solution of absolute
/// orientation using unit quaternions", 1987; scale by Umeyama, "Least-squares estimation of transformation
/// parameters between two point patterns", 1991). @throws EngineError for fewer than three pairs, or when
/// they lie on a line.
Orientation absoluteOrientation(std::span<const PickedPair> pairs, bool scales);

} // namespace scanloupe
