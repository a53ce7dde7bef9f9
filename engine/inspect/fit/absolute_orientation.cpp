// Solves absolute orientation with Umeyama's method.
#include "engine/inspect/fit/absolute_orientation.h"

#include "engine/cloud/error.h"

#define EIGEN_MPL2_ONLY
#include <Eigen/Dense>

#include <cmath>

namespace scanloupe {

namespace {

/// One side of the pairs.
struct PickedSide {
    Vec3d middle;
    Eigen::Matrix3Xd places; ///< relative to the middle

    PickedSide(std::span<const PickedPair> pairs, Vec3d PickedPair::*place)
        : places(3, Eigen::Index(pairs.size())) {
        for (const PickedPair& pair : pairs)
            middle = middle + pair.*place / double(pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const Vec3d d = pairs[i].*place - middle;
            places.col(Eigen::Index(i)) = Eigen::Vector3d(d.x, d.y, d.z);
        }
    }
    /// Whether the points are on a line, or coincide.
    bool isOnLine() const {
        constexpr double thinnest = 1e-4; // squared ratio of width and length: one hundredth
        const Eigen::Matrix3d spread = places * places.transpose();
        const Eigen::Vector3d squares = spread.selfadjointView<Eigen::Lower>().eigenvalues(); // ascending
        return !(squares[1] > thinnest * squares[2]);
    }
};

} // namespace

Orientation absoluteOrientation(std::span<const PickedPair> pairs, bool scales) {
    if (pairs.size() < 3)
        throw EngineError("At least three pairs of points are needed to align a scan.",
                          "Pick at least three pairs, far from each other and not on a line.");
    for (const PickedPair& pair : pairs)
        if (!isFinite(pair.scan) || !isFinite(pair.reference))
            throw EngineError("A coordinate of a picked point is not finite.", "Pick the point again.");
    const PickedSide scan(pairs, &PickedPair::scan), reference(pairs, &PickedPair::reference);
    if (scan.isOnLine() || reference.isOnLine())
        throw EngineError(
            "The picked points are on a line, so the rotation about this line is not determined.",
            "Pick another pair away from the line.");
    const Eigen::Matrix4d mapped = Eigen::umeyama(scan.places, reference.places, scales);
    Orientation found;
    if (scales)
        found.scale = mapped.col(0).norm(); // each column of a rotation is a unit vector
    if (!(found.scale > 0))
        throw EngineError("The pairs contradict each other: no scale above 0 fits.",
                          "Check which points correspond.");
    for (int r = 0; r < 3; ++r)
        found.motion.rows[r] = Vec3d{mapped(r, 0), mapped(r, 1), mapped(r, 2)} / found.scale;
    found.motion.translation = reference.middle / found.scale - found.motion.rotate(scan.middle);
    for (const PickedPair& pair : pairs) {
        found.residuals.push_back(norm(found.motion(pair.scan) * found.scale - pair.reference));
        found.rms += found.residuals.back() * found.residuals.back();
    }
    found.rms = std::sqrt(found.rms / double(pairs.size()));
    return found;
}

} // namespace scanloupe
