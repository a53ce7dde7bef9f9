#pragma once
// Declares a slider with one handle over a histogram.
#include "gui/sliders/histogram_bars.h"
#include "gui/sliders/jump_slider.h"
#include "gui/sliders/value_scale.h"

namespace scanloupe::gui {

/// A slider of ValueScale's steps, which can have the bars of a histogram above it. Then a click on the bars
/// moves the handle there, a double click on the handle prompts for its number, and a context menu offers the
/// scale of counts.
class HistogramSlider : public JumpSlider {
    Q_OBJECT
public:
    /// Which side of the value is selected.
    enum class Chosen { below, above };

    explicit HistogramSlider(QWidget* parent = nullptr);

    /// Reserves space for bars.
    void standBelowBars();
    /// @param counted, unit see HistogramBars::setHistogram
    void setHistogram(std::shared_ptr<const Histogram> histogram, const QString& counted, const QString& unit,
                      Chosen chosen);
    const HistogramBars& bars() const { return m_bars; }
    void setLogarithmic(bool logarithmic);
    /// Sets the values at the ends, with which the bars are aligned.
    void setScale(const ValueScale& scale);
    void setAutomatic(bool automatic);
    /// The centre of the handle, in the widget's pixels.
    QPointF handleCentre() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// Emitted when the user wants to type the value.
    void numberWanted();

protected:
    void initStyleOption(QStyleOptionSlider* option) const override;
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QRect handleRect() const;
    QRectF barArea() const;
    HistogramBars::Span span() const { return {m_scale.low, m_scale.high}; }

    ValueScale m_scale;
    HistogramBars m_bars;
    Chosen m_chosen = Chosen::above;
    bool m_isBelowBars = false, m_automatic = false;
};

} // namespace scanloupe::gui
