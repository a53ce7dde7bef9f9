#pragma once
// What lies over every view: its title, the axes, and what its colours mean.
#include "gui/views/gl_surface.h"
#include "kernels/raster/camera.h"

#include <QColor>
#include <QFont>
#include <QImage>
#include <QRectF>
#include <QString>

class QPainter;

namespace scanloupe::gui {

/// Text that can be read over anything.
void drawOverlayText(QPainter& painter, QPointF baseline, const QString& text, const QFont& font,
                     QColor colour);

/// Title, and after it what is to be said about what one sees; transparent around.
QImage titleImage(const QString& title, const QString& detail, const QFont& font, double pixelRatio);

/// The axes x, y, z (red, green, blue) as the camera sees them; transparent around.
QImage tripodImage(const Camera& camera, const QFont& font, double pixelRatio);

/// Device pixels that all keep from the borders of a view: the title above, the axes below, on the left, the
/// legend below on the right.
inline int overlayMargin(double pixelRatio) {
    return static_cast<int>(8 * pixelRatio);
}

/// Whether a view of `view` device pixels has room for the legend beside the axes and below the title.
bool hasRoomForLegend(const Overlay& overlay, QSize view);

/// Paints an overlay on a view that covers `view`.
void paintOverlay(QPainter& painter, const Overlay& overlay, const QRectF& view);

/// Device pixels of Overlay::frame.
inline int focusFrameWidth(double pixelRatio) {
    return static_cast<int>(2 * pixelRatio);
}
/// Its colour.
QColor focusColour();

/// The colour behind everything, in all views.
QColor viewBackground();

} // namespace scanloupe::gui
