#pragma once
// Declares the camera that all views share.
#include "engine/cloud/bounds.h"
#include "engine/recipe/up_axis.h"
#include "kernels/raster/core/camera.h"

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <functional>

namespace scanloupe::gui {

enum class StandardView { oblique, top, bottom, front, back, left, right };

/// The camera that all views share, in the file's frame, and its interactive moves. Points in a view are in
/// its own pixels, y downwards.
class LinkedCamera : public QObject {
    Q_OBJECT
public:
    explicit LinkedCamera(QObject* parent = nullptr);

    const Camera& camera() const { return m_camera; }
    void setCamera(const Camera& camera);
    /// Sets the up axis of the standard views and of orbits.
    void setUp(UpAxis up);
    /// Changes the up axis of a scan in view: the camera rotates about its target, from the up axis of its
    /// picture to `up`, so that the scan is seen from the same side, with another axis up.
    void rotateToUp(UpAxis up);
    /// Sets the box that fit and the standard views show, and that near plane and zoom limits depend on.
    void setBounds(const Bounds& bounds);
    const Bounds& bounds() const { return m_bounds; }

    /// Makes fit frame the content instead of its bounds: `framing` moves a perspective camera that shows all
    /// of the bounds, without turning it (see framed() of the pipeline). Null: fits the bounds.
    void setFraming(std::function<Camera(const Camera&, double aspect)> framing) {
        m_framing = std::move(framing);
    }

    void fit(double aspect);
    void show(StandardView view, double aspect);
    void setOrthographic(bool orthographic);
    /// Orbits about `pivot`, which keeps its pixel, by a drag in pixels; a drag across the view is half a
    /// turn. Stops at the poles, so that the picture never flips.
    void orbit(Vec3d pivot, QPointF drag, QSizeF viewport);
    /// Pans so that `anchor` follows a drag in pixels.
    void pan(Vec3d anchor, QPointF drag, QSizeF viewport);
    /// Looks at `point` from the same distance and side: it becomes the target.
    void centreOn(Vec3d point);
    /// Zooms towards (factor < 1) or away from `anchor`, which stays under the cursor.
    void zoom(Vec3d anchor, double factor);

    /// A ray through a pixel of a view: origin and unit direction, file's frame.
    struct Ray {
        Vec3d origin, direction;
    };
    Ray rayThrough(QPointF pixel, QSizeF viewport) const;
    /// Point of a pixel's ray at the depth of the target, used as the pivot if nothing was hit.
    Vec3d pointAtTargetDepth(QPointF pixel, QSizeF viewport) const;
    bool isMoving() const { return m_moving; }
    /// Between beginMove() and endMove(), views draw under a time budget.
    void beginMove();
    void endMove();

signals:
    void changed();
    void movingChanged(bool moving);

private:
    void change(const Camera& camera);
    /// Moves an orthographic eye back along its view until no part of the bounds lies behind it.
    void moveEyeOutOfBounds(Camera& camera) const;
    double radius() const;

    Camera m_camera;
    Bounds m_bounds;
    UpAxis m_up = UpAxis::z;
    UpAxis m_orbitAxis = UpAxis::z; ///< axis of orbits
    std::function<Camera(const Camera&, double)> m_framing;
    bool m_moving = false;
};

} // namespace scanloupe::gui
