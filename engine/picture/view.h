#pragma once
// Declares cameras for preset views, framed to the points of the subject.
#include "engine/cloud/bounds.h"
#include "kernels/cut/point_cut.h"

#include <span>

namespace scanloupe {

struct Camera;
class PointCloud;
struct Recipe;
enum class UpAxis : std::uint8_t;

/// Rotates a vector from a frame with z up to a frame in which `up` is up: about the x axis for y, -y and -z,
/// about the y axis for x and -x. Exact; the identity for z.
Vec3d fromZUp(Vec3d v, UpAxis up);
/// Rotates a vector by the inverse of fromZUp().
Vec3d toZUp(Vec3d v, UpAxis up);
/// Returns the unit vector of the up axis.
inline Vec3d upVector(UpAxis up) {
    return fromZUp({0, 0, 1}, up);
}
/// Returns the up vector of a camera without roll that looks along `forward`. It is the up axis, or in a plan
/// view (along the up axis) the y axis (north) of a frame with z up.
Vec3d levelUp(Vec3d forward, UpAxis up);

/// The subject of a picture. `cloud` is null for a volume.
struct ViewSubject {
    Bounds box;                    ///< file's frame
    std::span<const Vec3f> points; ///< relative to `origin`, see HostPoints::framingSample(); the view frames
                                   ///< the points that are in the box
    Vec3d origin;
    const PointCloud* cloud = nullptr;
    PointCut cut = {}; ///< relative to `origin`; the view frames the points that it keeps

    /// Whether the view frames a point. @param p relative to `origin`; the result is false for NaN
    bool isFramed(Vec3f p) const {
        const Vec3d at = p.as<double>() + origin;
        return min(at, box.min) == box.min && max(at, box.max) == box.max && cut.keeps(p);
    }
};

/// Returns the camera of the recipe's picture, in the file's frame: the recipe's camera, or one that shows
/// the subject from the preset side as large as possible. A few outliers are cropped if the subject would be
/// much smaller with them. @throws EngineError for the sensor's view if the sensor's position is unknown.
Camera cameraFor(const Recipe& recipe, const ViewSubject& subject);

/// Moves the camera, without rotation, so that the subject's points fill the picture. For an orthographic
/// camera, also sets the height of the picture.
Camera framed(Camera camera, const ViewSubject& subject, double aspect);

} // namespace scanloupe
