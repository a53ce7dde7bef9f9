#pragma once
// A camera over the pixels of one view, in double precision.
#include "kernels/raster/camera.h"

#include <QPointF>
#include <QSizeF>

namespace scanloupe::gui {

/// Axes and scale of a camera: the same pinhole as Projection, for what the window works out itself. Never
/// throws: an `up` that lies along the view is replaced by another.
struct CameraFrame {
    Vec3d eye, right, down, forward; ///< axes are unit; file's frame
    double distance = 1;             ///< eye to target, metres
    double scale = 1;     ///< pixels per unit of right / forward (perspective) or per metre (orthographic)
    double nearPlane = 0; ///< metres before the eye, as Projection takes it
    QPointF centre;       ///< pixels
    bool orthographic = false;

    CameraFrame(const Camera& camera, QSizeF viewport);

    /// A point as (right, down, forward), metres from the eye.
    Vec3d inView(Vec3d p) const;
    /// The pixel that a point before the eye is seen at.
    QPointF project(Vec3d p) const;
    /// The point that a pixel shows at `depth` metres along the view.
    Vec3d pointAt(QPointF pixel, double depth) const;
    /// Metres that a pixel spans at `depth` metres along the view.
    double metresPerPixel(double depth) const { return orthographic ? 1 / scale : depth / scale; }
};

/// A unit vector at a right angle to the view that runs to the right of the picture.
Vec3d rightAxis(Vec3d forward, Vec3d up);

} // namespace scanloupe::gui
