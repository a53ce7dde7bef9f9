#pragma once
// What lies over every view: its title and the axes.
#include "kernels/raster/camera.h"

#include <QFont>
#include <QImage>
#include <QString>

namespace scanloupe::gui {

/// Title, and after it what is to be said about what one sees; transparent around.
QImage titleImage(const QString& title, const QString& detail, const QFont& font, double pixelRatio);

/// The axes x, y, z (red, green, blue) as the camera sees them; transparent around.
QImage tripodImage(const Camera& camera, const QFont& font, double pixelRatio);

/// Device pixels that both keep from the borders of a view: the title above, the axes below, on the left.
inline int overlayMargin(double pixelRatio) {
    return static_cast<int>(8 * pixelRatio);
}

} // namespace scanloupe::gui
