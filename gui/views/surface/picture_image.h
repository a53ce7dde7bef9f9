#pragma once
// Declares pictures of the software rasterizer as images of Qt.
#include <QImage>

#include <memory>

namespace scanloupe {
struct Picture;
}

namespace scanloupe::gui {

/// Wraps the picture's pixels, which must be on the host, without a copy; the image keeps the picture alive.
QImage imageOf(const std::shared_ptr<const Picture>& picture);

} // namespace scanloupe::gui
