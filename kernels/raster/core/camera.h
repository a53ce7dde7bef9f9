#pragma once
// Declares the camera model of the rasterizer: pinhole or orthographic, and its projection in pixels.
#include "kernels/core/vec3.h"

namespace scanloupe {

/// A pinhole or an orthographic camera, in the frame of the scene.
struct Camera {
    Vec3d eye{0, -1, 0};                     ///< position, metres
    Vec3d target{0, 0, 0};                   ///< metres; the point at the centre of the picture
    Vec3d up{0, 0, 1};                       ///< upward direction in the picture
    double verticalFov = 0.7853981633974483; ///< radians, (0, pi); perspective only
    bool orthographic = false;
    double orthographicHeight = 1; ///< height of the picture in metres; orthographic only
    double nearPlane = 0; ///< distance in front of the eye, metres; 0: derived from the distance of the
                          ///< target
    bool operator==(const Camera&) const = default;

    /// Returns a camera that looks along `direction` (any length, not zero) at the middle of the box and
    /// shows the whole box with a margin of 5 %, both in perspective and in orthographic views.
    /// @param aspect width / height
    /// @throws KernelError if the box, the direction or the aspect is not finite, or if the direction or the
    /// aspect is zero
    static Camera fit(Vec3d boxMin, Vec3d boxMax, Vec3d direction, double aspect);
};

/// Single-precision projection of a camera to a picture of `width` x `height` pixels, relative to the eye.
/// View coordinates are (right, down, forward); pixel = centre + scale * (right, down) / forward. x runs
/// right, y down; pixel (0, 0) covers [0, 1) x [0, 1).
struct Projection {
    Vec3d eye;
    Vec3f right, down, forward; ///< unit vectors
    float scale = 1; ///< pixels per unit of right / forward (perspective) or per metre (orthographic)
    float centreX = 0, centreY = 0;
    float nearPlane = 0;
    bool orthographic = false;
    int width = 0, height = 0;
    /// Position of the first pixel in the whole picture, for a projection that part() has returned; otherwise
    /// 0.
    int offsetX = 0, offsetY = 0;

    /// Computes the projection of a camera. @throws KernelError when the camera's eye is its target, its up
    /// direction is parallel to its view, a number is not finite, or the picture is not between 1 and 16384
    /// pixels wide and high.
    Projection(const Camera& camera, int width, int height);

    /// Returns the projection of the `partWidth` x `partHeight` pixels from (x, y) on. Drawn separately,
    /// these pixels are identical to those of the whole picture: coordinates are rounded in the whole
    /// picture, and the part's offset is subtracted afterwards, in whole pixels.
    /// @throws KernelError for pixels outside the picture, or an empty part
    Projection part(int x, int y, int partWidth, int partHeight) const;
    /// Returns this projection with the samples moved by (x, y) pixels from the pixel centres, for
    /// supersampling. Multiples of 1 / 256 are exact.
    Projection sampledAt(float x, float y) const;
};

} // namespace scanloupe
