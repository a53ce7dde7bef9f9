#pragma once
// Declares the axes and the projection of a camera over the pixels of one view, in double precision.
#include "kernels/raster/core/camera.h"

#include <QPointF>
#include <QSizeF>

namespace scanloupe::gui {

/// Axes and scale of a camera: the same pinhole model as Projection, for computations of the window. Never
/// throws: an `up` parallel to the view is replaced by another.
struct CameraFrame {
    Vec3d eye, right, down, forward; ///< axes are unit; file's frame
    double distance = 1;             ///< eye to target, metres
    double scale = 1;     ///< pixels per unit of right / forward (perspective) or per metre (orthographic)
    double nearPlane = 0; ///< metres in front of the eye, as in Projection
    QPointF centre;       ///< pixels
    bool orthographic = false;

    CameraFrame(const Camera& camera, QSizeF viewport);

    /// Transforms a point to view coordinates (right, down, forward), metres from the eye.
    Vec3d inView(Vec3d p) const;
    /// Projects a point in front of the eye to pixels.
    QPointF project(Vec3d p) const;
    /// Unprojects a pixel at `depth` metres along the view.
    Vec3d pointAt(QPointF pixel, double depth) const;
    /// Size of a pixel at `depth` metres along the view, metres.
    double metresPerPixel(double depth) const { return orthographic ? 1 / scale : depth / scale; }
};

/// Unit vector perpendicular to the view that points to the right of the picture.
Vec3d rightAxis(Vec3d forward, Vec3d up);

} // namespace scanloupe::gui
