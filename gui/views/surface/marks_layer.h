#pragma once
// Declares the layer of a view that draws marks at places of the scan.
#include "gui/views/surface/gl_surface.h"
#include "gui/views/surface/scene_marks.h"
#include "kernels/raster/core/camera.h"

#include <QFont>
#include <QPointF>
#include <QSizeF>
#include <optional>

namespace scanloupe::gui {

/// Draws marks as a camera sees them, and caches the image.
class MarksLayer {
public:
    /// Sets the marks. Returns false if they are unchanged.
    bool setMarks(const SceneMarks& marks);
    /// Sets the cursor's position in the view, in pixels, where the rubber line ends; none outside the view.
    /// False if the image stays the same.
    bool setCursor(std::optional<QPointF> pixel);
    /// Image of the marks in a view of `view` pixels, cropped to them.
    const PlacedImage& image(const Camera& camera, QSizeF view, const QFont& font, double pixelRatio);

private:
    SceneMarks m_marks;
    std::optional<QPointF> m_cursor;
    bool m_isDrawn = false; ///< m_image is valid for the following values
    Camera m_camera;
    QSizeF m_view;
    double m_ratio = 0;
    PlacedImage m_image;
};

} // namespace scanloupe::gui
