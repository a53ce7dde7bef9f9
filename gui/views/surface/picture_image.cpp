// Wraps pictures of the software rasterizer.
#include "gui/views/surface/picture_image.h"

#include "engine/results/snapshot.h"

namespace scanloupe::gui {

QImage imageOf(const std::shared_ptr<const Picture>& picture) {
    const Image& image = picture->image.host();
    if (image.pixels.empty())
        return {};
    auto* keep = new std::shared_ptr<const Picture>(picture);
    return QImage(
        reinterpret_cast<const uchar*>(image.pixels.data()), image.width, image.height,
        qsizetype{4} * image.width, QImage::Format_RGBX8888,
        [](void* held) { delete static_cast<std::shared_ptr<const Picture>*>(held); }, keep);
}

} // namespace scanloupe::gui
