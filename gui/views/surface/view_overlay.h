#pragma once
// Declares the overlay of all views: title, axes and legend of the colours.
#include "gui/views/surface/gl_surface.h"
#include "kernels/raster/core/camera.h"

#include <QColor>
#include <QFont>
#include <QImage>
#include <QRectF>
#include <QString>

class QPainter;

namespace scanloupe::gui {

/// Draws outlined text, legible on any background.
void drawOverlayText(QPainter& painter, QPointF baseline, const QString& text, const QFont& font,
                     QColor colour);

/// Image of the title, followed by a detail in a weaker colour; transparent background. In a narrow view,
/// parts of the detail, which are separated by " · ", are dropped, the last one first.
/// @param room width of the view, logical pixels
QImage titleImage(const QString& title, const QString& detail, const QFont& font, double room,
                  double pixelRatio);

/// Image of the axes x, y, z (red, green, blue) as the camera sees them; transparent background.
QImage tripodImage(const Camera& camera, const QFont& font, double pixelRatio);

/// Margin of the images from the borders of a view, in device pixels: the title at the top left, the axes at
/// the bottom left, the legend at the bottom right.
inline int overlayMargin(double pixelRatio) {
    return static_cast<int>(8 * pixelRatio);
}

/// Whether a view of `view` device pixels has room for the legend next to the axes and below the title.
bool hasRoomForLegend(const Overlay& overlay, QSize view);

/// Paints an overlay over the rectangle `view`.
void paintOverlay(QPainter& painter, const Overlay& overlay, const QRectF& view);

/// Width of the focus frame (Overlay::frame), in device pixels.
inline int focusFrameWidth(double pixelRatio) {
    return static_cast<int>(2 * pixelRatio);
}
/// Colour of the focus frame.
QColor focusColour();

/// Background colour of all views.
QColor viewBackground();

} // namespace scanloupe::gui
