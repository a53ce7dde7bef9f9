#pragma once
// Declares the transformation that aligns picked pairs of points.
#include "kernels/core/rigid_transform.h"

#include <span>
#include <vector>

namespace scanloupe {

/// A pair of corresponding points of the scan and of the reference.
struct PickedPair {
    Vec3d scan, reference;
};

/// The transformation that maps a point p of the scan to scale * motion(p).
struct Orientation {
    RigidTransform motion;
    double scale = 1;
    std::vector<double> residuals; ///< [N] distances between the points of each pair after the transformation
    double rms = 0;                ///< root mean square of the residuals
};

/// Returns the least-squares rotation, translation and, with `scales`, scale (Umeyama, "Least-squares
/// estimation of transformation parameters between two point patterns", 1991). @throws EngineError for fewer
/// than three pairs, or if they are on a line.
Orientation absoluteOrientation(std::span<const PickedPair> pairs, bool scales);

} // namespace scanloupe
