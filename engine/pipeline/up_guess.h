#pragma once
// Which axis of a scan's frame points upwards.
#include "engine/cloud/point_cloud.h"
#include "engine/pipeline/recipe.h"

#include <span>

namespace scanloupe {

struct UpGuess {
    enum class Reason : std::uint8_t {
        convention,  ///< z, as of surveys and whatever else does not tell
        base,        ///< an object stands on a broad base
        depthCamera, ///< the points lie before a depth camera, whose frame has y downwards
    };
    UpAxis up = UpAxis::z;
    Reason reason = Reason::convention;
};

/// `points`: a sample of the cloud's in `range`, both in the file's frame. Surveys, sweeps and rooms keep z:
/// those that are larger than objects are, lie far from the origin, or tell a sensor, a time, a ring, a class
/// or a coordinate system.
UpGuess guessUp(const PointCloud& cloud, std::span<const Vec3d> points, const Bounds& range);

} // namespace scanloupe
