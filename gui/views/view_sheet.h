#pragma once
// Declares the arrangement of the views in a picture of all of them.
#include <QRectF>
#include <QSize>
#include <cstdint>
#include <optional>
#include <vector>

namespace scanloupe {
enum class PictureContent : std::uint8_t;
}

namespace scanloupe::gui {

/// The views as one picture: their places, and its size on the screen.
struct ViewSheet {
    struct Panel {
        std::optional<PictureContent> content; ///< none: the content of the rasterized view
        QRectF place;                          ///< rectangle in a sheet of 1 x 1
    };
    std::vector<Panel> panels;
    QSize pixels;
};

} // namespace scanloupe::gui
