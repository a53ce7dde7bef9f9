// Solves absolute orientation with the eigenvectors of Horn's matrix.
#include "engine/inspect/fit/absolute_orientation.h"

#include "engine/cloud/error.h"
#include "kernels/core/symmetric_eigen.h"

#include <cmath>

namespace scanloupe {

namespace {

/// Returns the rotation of a unit quaternion w, x, y, z.
RigidTransform rotationOf(const double (&q)[4]) {
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    RigidTransform turn;
    turn.rows[0] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)};
    turn.rows[1] = {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)};
    turn.rows[2] = {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)};
    return turn;
}

/// Whether the points are on a line, or coincide.
bool lieOnLine(std::span<const PickedPair> pairs, Vec3d PickedPair::*place, Vec3d middle) {
    double spread[3][3] = {}, axes[3][3];
    for (const PickedPair& pair : pairs) {
        const Vec3d d = pair.*place - middle;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                spread[r][c] += d[r] * d[c];
    }
    jacobiEigen(spread, axes);
    constexpr double thinnest = 1e-4; // squared ratio of width and length: one hundredth
    return !(spread[1][1] > thinnest * spread[2][2]);
}

} // namespace

Orientation absoluteOrientation(std::span<const PickedPair> pairs, bool scales) {
    if (pairs.size() < 3)
        throw EngineError("At least three pairs of points are needed to align a scan.",
                          "Pick at least three pairs, far from each other and not on a line.");
    Vec3d scanMiddle, referenceMiddle;
    for (const PickedPair& pair : pairs) {
        if (!isFinite(pair.scan) || !isFinite(pair.reference))
            throw EngineError("A coordinate of a picked point is not finite.", "Pick the point again.");
        scanMiddle = scanMiddle + pair.scan / double(pairs.size());
        referenceMiddle = referenceMiddle + pair.reference / double(pairs.size());
    }
    if (lieOnLine(pairs, &PickedPair::scan, scanMiddle) ||
        lieOnLine(pairs, &PickedPair::reference, referenceMiddle))
        throw EngineError(
            "The picked points are on a line, so the rotation about this line is not determined.",
            "Pick another pair away from the line.");
    double s[3][3] = {}, scanSpread = 0;
    for (const PickedPair& pair : pairs) {
        const Vec3d a = pair.scan - scanMiddle, b = pair.reference - referenceMiddle;
        scanSpread += squaredNorm(a);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                s[r][c] += a[r] * b[c];
    }
    double n[4][4] = {{s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
                      {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
                      {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
                      {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]}};
    double axes[4][4];
    jacobiEigen(n, axes);
    Orientation found;
    found.motion = rotationOf(axes[3]); // the eigenvector of the largest eigenvalue
    if (scales) { // scale after Umeyama (1991): least squares of the distances after the motion
        double along = 0;
        for (const PickedPair& pair : pairs)
            along += dot(pair.reference - referenceMiddle, found.motion.rotate(pair.scan - scanMiddle));
        found.scale = along / scanSpread;
        if (!(found.scale > 0))
            throw EngineError("The pairs contradict each other: no scale above 0 fits.",
                              "Check which points correspond.");
    }
    found.motion.translation = referenceMiddle / found.scale - found.motion.rotate(scanMiddle);
    for (const PickedPair& pair : pairs) {
        found.residuals.push_back(norm(found.motion(pair.scan) * found.scale - pair.reference));
        found.rms += found.residuals.back() * found.residuals.back();
    }
    found.rms = std::sqrt(found.rms / double(pairs.size()));
    return found;
}

} // namespace scanloupe
