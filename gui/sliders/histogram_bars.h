#pragma once
// Declares the bars of a histogram above a slider.
#include "engine/inspect/gauss_fit.h"
#include "kernels/histogram/histogram.h"

#include <QRectF>
#include <QString>
#include <functional>
#include <memory>
#include <optional>

class QMenu;
class QPainter;
class QPalette;

namespace scanloupe::gui {

/// A histogram as bars behind the handles of a slider. Counts are drawn linearly or by their logarithms.
class HistogramBars {
public:
    /// @param histogram null: no bars @param counted names the counted items, such as "points"
    void setHistogram(std::shared_ptr<const Histogram> histogram, const QString& counted,
                      const QString& unit);
    const std::shared_ptr<const Histogram>& histogram() const { return m_histogram; }
    /// A normal distribution of the same values, drawn as a line over the bars.
    void setGaussFit(const std::optional<GaussFit>& fit) { m_gauss = fit; }
    const std::optional<GaussFit>& gaussFit() const { return m_gauss; }
    bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool logarithmic) { m_logarithmic = logarithmic; }

    /// The values at the left and the right edge of a slider's area.
    struct Span {
        double low = 0, high = 1;
    };
    /// Paints the bars into `area`: those between `lower` and `upper` in the colour of the selection.
    /// @param live whether the user has set the values
    void paint(QPainter& painter, const QRectF& area, const Span& span, double lower, double upper,
               const QPalette& palette, bool live) const;
    /// The range of the bar at a value, its count, and the share of the values that were counted. Empty
    /// where there is no bar.
    /// @param width of the area, pixels
    QString toolTip(double value, const Span& span, double width) const;
    /// Fills a context menu; `changed` is called when the user has chosen something.
    void addActions(QMenu& menu, std::function<void()> changed);

private:
    /// Number of bins that a bar joins, so that it is at least two pixels wide.
    std::size_t binsPerBar(const Span& span, double width) const;
    std::uint64_t countOf(std::size_t firstBin, std::size_t bins) const;
    double heightOf(double count, double most) const; ///< 0 to 1
    void paintGaussFit(QPainter& painter, const QRectF& area, const Span& span, std::size_t step, double most,
                       const QPalette& palette) const;

    std::shared_ptr<const Histogram> m_histogram;
    QString m_counted, m_unit;
    bool m_logarithmic = false;
    std::optional<GaussFit> m_gauss;
};

} // namespace scanloupe::gui
