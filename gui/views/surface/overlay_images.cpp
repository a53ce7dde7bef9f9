// Caches the images of an overlay.
#include "gui/views/surface/overlay_images.h"

namespace scanloupe::gui {

template <class... Shown, class Draw>
const QImage& OverlayImages::kept(Kept<Shown...>& kept, std::tuple<Shown...> shown, Draw&& draw) {
    if (!kept.isDrawn || kept.shown != shown) {
        kept.image = std::apply(draw, shown);
        kept.shown = std::move(shown);
        kept.isDrawn = true;
    }
    return kept.image;
}

const QImage& OverlayImages::title(const QString& title, const QString& detail, const QFont& font,
                                   double room, double pixelRatio) {
    return kept(m_title, {title, detail, font, room, pixelRatio}, titleImage);
}

const QImage& OverlayImages::tripod(const Camera& camera, const QFont& font, double pixelRatio) {
    return kept(m_tripod, {camera, font, pixelRatio}, tripodImage);
}

const QImage& OverlayImages::legend(const std::optional<ColourLegend>& legend, const QFont& font,
                                    double pixelRatio) {
    return kept(m_legend, {legend, font, pixelRatio}, legendImage);
}

} // namespace scanloupe::gui
