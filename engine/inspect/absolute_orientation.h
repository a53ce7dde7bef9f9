#pragma once
// Declares the motion that brings picked pairs of places together.
#include "kernels/core/rigid_transform.h"

#include <span>
#include <vector>

namespace scanloupe {

/// Two places that are the same one: of the scan, and of the reference.
struct PickedPair {
    Vec3d scan, reference;
};

/// A place p of the scan comes to scale * motion(p).
struct Orientation {
    RigidTransform motion;
    double scale = 1;
    std::vector<double> residuals; ///< [N] how far the places of each pair are apart afterwards
    double rms = 0;                ///< of them
};

/// The rotation, shift and, if it is free, scale of least squares (Horn, "Closed-form solution of absolute
/// orientation using unit quaternions", 1987; scale by Umeyama, "Least-squares estimation of transformation
/// parameters between two point patterns", 1991).
/// @throws EngineError for fewer than three pairs, or when they lie on a line.
Orientation absoluteOrientation(std::span<const PickedPair> pairs, bool scales);

} // namespace scanloupe
