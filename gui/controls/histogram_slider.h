#pragma once
// Declares a slider with one handle over a histogram.
#include "gui/controls/histogram_bars.h"
#include "gui/controls/jump_slider.h"
#include "gui/controls/value_scale.h"

namespace scanloupe::gui {

/// A slider of ValueScale's steps, which can stand below the bars of a histogram. Then a click on the bars
/// moves the handle there, a double click on the handle asks for its number, and a context menu has the scale
/// of counts.
class HistogramSlider : public JumpSlider {
    Q_OBJECT
public:
    /// Which values a chosen one separates from the others.
    enum class Chosen { below, above };

    explicit HistogramSlider(QWidget* parent = nullptr);

    /// Makes room for bars.
    void standBelowBars();
    bool isBelowBars() const { return m_isBelowBars; }
    /// @param counted, unit see HistogramBars::setHistogram
    void setHistogram(std::shared_ptr<const Histogram> histogram, const QString& counted, const QString& unit,
                      Chosen chosen);
    const HistogramBars& bars() const { return m_bars; }
    void setLogarithmic(bool logarithmic);
    /// The values at the ends, with which the bars are in line.
    void setScale(const ValueScale& scale);
    void setAutomatic(bool automatic);
    /// The centre of the handle, in the widget's pixels.
    QPointF handleCentre() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// The user wants to type the value.
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
