#pragma once
// Declares the images of an overlay, which are drawn again only when their content has changed.
#include "gui/views/surface/colour_legend.h"
#include "gui/views/surface/view_overlay.h"

#include <tuple>

namespace scanloupe::gui {

/// Caches the images of one view: results arrive many times a second while a slider moves, and most of the
/// overlay stays the same.
class OverlayImages {
public:
    /// See titleImage().
    const QImage& title(const QString& title, const QString& detail, const QFont& font, double room,
                        double pixelRatio);
    /// See tripodImage().
    const QImage& tripod(const Camera& camera, const QFont& font, double pixelRatio);
    /// See legendImage().
    const QImage& legend(const std::optional<ColourLegend>& legend, const QFont& font, double pixelRatio);

private:
    template <class... Shown>
    struct Kept {
        std::tuple<Shown...> shown;
        QImage image;
        bool isDrawn = false;
    };
    template <class... Shown, class Draw>
    static const QImage& kept(Kept<Shown...>& kept, std::tuple<Shown...> shown, Draw&& draw);

    Kept<QString, QString, QFont, double, double> m_title;
    Kept<Camera, QFont, double> m_tripod;
    Kept<std::optional<ColourLegend>, QFont, double> m_legend;
};

} // namespace scanloupe::gui
