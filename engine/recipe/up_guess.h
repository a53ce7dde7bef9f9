#pragma once
// Estimates the axis of a scan's frame that points upwards.
#include "engine/recipe/up_axis.h"
#include "kernels/core/vec3.h"

#include <span>

namespace scanloupe {

struct Bounds;
class PointCloud;
struct RigidTransform;

struct UpGuess {
    enum class Reason : std::uint8_t {
        convention,  ///< z, for surveys and for all scans without evidence
        base,        ///< an object on a broad base
        depthCamera, ///< the points are in front of a depth camera, whose frame has y downwards
    };
    UpAxis up = UpAxis::z;
    Reason reason = Reason::convention;
};

/// Estimates the up axis. Surveys, sweeps and rooms keep z. These are scans that are larger than objects, far
/// from the origin, or that have a sensor, a time, a ring, a class or a coordinate system.
/// @param points a sample of the cloud's points in `range`, both in the file's frame
UpGuess guessUp(const PointCloud& cloud, std::span<const Vec3d> points, const Bounds& range);

/// Returns the axis that is nearest to the axis `up` after a rotation.
UpAxis turnedAxis(UpAxis up, const RigidTransform& motion);

} // namespace scanloupe
