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

/// Rotates a vector from a frame with z up to a frame with `up` up: about the x axis for y, -y and -z, about
/// the y axis for x and -x. Exact; the identity for z.
Vec3d fromZUp(Vec3d v, UpAxis up);
/// The inverse rotation.
Vec3d toZUp(Vec3d v, UpAxis up);
/// The unit vector of the axis.
inline Vec3d upVector(UpAxis up) {
    return fromZUp({0, 0, 1}, up);
}
/// The up vector of a camera without roll that looks along `forward`: the up axis, or in a plan view (along
/// the up axis) the y axis (north) of a frame with z up.
Vec3d levelUp(Vec3d forward, UpAxis up);

/// The subject of a picture; `cloud` is null for a volume.
struct ViewSubject {
    Bounds box; ///< file's frame
    std::span<const Vec3f>
        points; ///< relative to `origin`, see HostPoints::framingSample(); the view frames those in the box
    Vec3d origin;
    const PointCloud* cloud = nullptr;
    PointCut cut = {}; ///< relative to `origin`; the view frames those that it keeps

    /// Whether the view frames a point. @param p relative to `origin`; false for NaN
    bool isFramed(Vec3f p) const {
        const Vec3d at = p.as<double>() + origin;
        return min(at, box.min) == box.min && max(at, box.max) == box.max && cut.keeps(p);
    }
};

/// The camera of the recipe's picture, in the file's frame: the recipe's own, or one that frames the subject
/// from the preset side as large as its points allow. A few outliers are cropped if the subject would be much
/// smaller with them. @throws EngineError for the sensor's view when its position is unknown.
Camera cameraFor(const Recipe& recipe, const ViewSubject& subject);

/// Moves the camera, without rotation, so that the subject's points fill the picture; for an orthographic
/// one, sets the height of the picture accordingly.
Camera framed(Camera camera, const ViewSubject& subject, double aspect);

} // namespace scanloupe
