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
        convention,  ///< z, for surveys and all scans without evidence
        base,        ///< an object on a broad base
        depthCamera, ///< the points are in front of a depth camera, whose frame has y downwards
    };
    UpAxis up = UpAxis::z;
    Reason reason = Reason::convention;
};

/// Estimates the up axis. Surveys, sweeps and rooms keep z: scans that are larger than objects, far from the
/// origin, or have a sensor, a time, a ring, a class or a coordinate system. @param points a sample of the
/// cloud's points in `range`, both in the file's frame
UpGuess guessUp(const PointCloud& cloud, std::span<const Vec3d> points, const Bounds& range);

/// The axis nearest to a rotated axis.
UpAxis turnedAxis(UpAxis up, const RigidTransform& motion);

} // namespace scanloupe
