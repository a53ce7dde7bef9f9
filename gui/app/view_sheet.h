#pragma once
// Declares how the views lie on a picture of all of them.
#include "engine/recipe/recipe.h"

#include <QRectF>
#include <QSize>
#include <optional>
#include <vector>

namespace scanloupe::gui {

/// The views as one picture: their places, and its size on the screen.
struct ViewSheet {
    struct Panel {
        std::optional<PictureContent> content; ///< none: that of the rasterized view
        QRectF place;                          ///< in a sheet of 1 x 1
    };
    std::vector<Panel> panels;
    QSize pixels;
};

} // namespace scanloupe::gui
