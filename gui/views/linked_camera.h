#pragma once
// One camera for all views.
#include "engine/cloud/point_cloud.h"
#include "engine/pipeline/recipe.h"
#include "kernels/raster/camera.h"

#include <QObject>
#include <QPointF>
#include <QSizeF>
#include <functional>

namespace scanloupe::gui {

enum class StandardView { oblique, top, bottom, front, back, left, right };

/// The camera that all views share, in the file's frame, and the moves that people make with it. Points in a
/// view are in its own pixels, y downwards.
class LinkedCamera : public QObject {
    Q_OBJECT
public:
    explicit LinkedCamera(QObject* parent = nullptr);

    const Camera& camera() const { return m_camera; }
    void setCamera(const Camera& camera);
    /// What the standard views and orbits take as upwards.
    void setUp(UpAxis up);
    /// The same of a scan that is in view: the camera turns about its target, from what is upwards in its
    /// picture to `up`, so that the scan is seen from the same side as before, with another axis up.
    void rotateToUp(UpAxis up);
    /// What fit and the standard views show, and what near plane and zoom limits follow.
    void setBounds(const Bounds& bounds);
    const Bounds& bounds() const { return m_bounds; }

    /// How fit frames what is really there rather than its bounds: moves a perspective camera that shows all
    /// of the bounds, without turning it (see framed() of the pipeline). None: the bounds.
    void setFraming(std::function<Camera(const Camera&, double aspect)> framing) {
        m_framing = std::move(framing);
    }

    void fit(double aspect);
    void show(StandardView view, double aspect);
    void setOrthographic(bool orthographic);
    /// Turns about `pivot`, which stays at its pixel, by a drag in pixels: half a turn across the view. Stops
    /// at the poles, so that the picture never flips.
    void orbit(Vec3d pivot, QPointF drag, QSizeF viewport);
    /// Moves so that `anchor` follows a drag in pixels.
    void pan(Vec3d anchor, QPointF drag, QSizeF viewport);
    /// Moves towards (factor < 1) or away from `anchor`, which stays under the cursor.
    void zoom(Vec3d anchor, double factor);

    /// A ray through a pixel of a view: origin and unit direction, file's frame.
    struct Ray {
        Vec3d origin, direction;
    };
    Ray rayThrough(QPointF pixel, QSizeF viewport) const;
    /// Where the ray through a pixel is nearest to the target's depth: a pivot when nothing was hit.
    Vec3d pointAtTargetDepth(QPointF pixel, QSizeF viewport) const;
    bool isMoving() const { return m_moving; }
    /// Views draw under a budget between these two.
    void beginMove();
    void endMove();

signals:
    void changed();
    void movingChanged(bool moving);

private:
    void change(const Camera& camera);
    /// Moves an orthographic eye along its view until nothing of the bounds lies behind it.
    void moveEyeOutOfBounds(Camera& camera) const;
    double radius() const;

    Camera m_camera;
    Bounds m_bounds;
    UpAxis m_up = UpAxis::z;
    UpAxis m_orbitAxis = UpAxis::z; ///< what orbits turn about
    std::function<Camera(const Camera&, double)> m_framing;
    bool m_moving = false;
};

} // namespace scanloupe::gui
