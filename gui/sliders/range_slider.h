#pragma once
// Declares a slider with two handles over a histogram.
#include "gui/sliders/histogram_bars.h"

#include <QWidget>
#include <array>
#include <cstdint>
#include <optional>

namespace scanloupe::gui {

/// A slider with two handles, over [low, high], below the bars of a histogram. Dragging the band between them
/// moves both; a double click on a handle prompts for its number. Keys: left and right move the active handle
/// by a bin, Page Up and Page Down by ten, Space activates the other. A context menu offers the scale of
/// counts.
class RangeSlider : public QWidget {
    Q_OBJECT
public:
    explicit RangeSlider(QWidget* parent = nullptr);

    /// Sets the span of the slider; ignored while a handle is held.
    void setSpan(double low, double high);
    /// Shows values without emitting signals; those beyond the span are shown at its end.
    void setValues(double lower, double upper);
    double lower() const { return m_values[0]; }
    double upper() const { return m_values[1]; }
    void setAutomatic(bool automatic);

    /// Shows a histogram. @param counted, unit see HistogramBars::setHistogram
    void setHistogram(std::shared_ptr<const Histogram> histogram, const QString& counted,
                      const QString& unit);
    const HistogramBars& bars() const { return m_bars; }
    /// Draws the expected counts of a normal distribution; nullopt: none is drawn.
    void setGaussFit(const std::optional<GaussFit>& fit);
    /// Paints a colour map between the handles, below the bars, with its ends beyond them. @param map RGBA
    void setColourMap(const std::array<std::uint32_t, 256>& map);

    QSize sizeHint() const override { return {80, 38}; }
    QSize minimumSizeHint() const override { return {40, 38}; }
    /// The centre of a handle (0: lower, 1: upper), in the widget's pixels.
    QPointF handleCentre(int handle) const;

signals:
    /// Emitted when the user moved a handle; the lower value is below the upper one.
    void edited(double lower, double upper);
    /// Emitted when the user wants to type the value of a handle (0: lower, 1: upper).
    void numberWanted(int handle);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum class Grip { none, lower, upper, band };
    double step() const { return (m_high - m_low) / 1000; }
    double valueAt(double x) const;
    bool isOnHandle(int handle, double x) const;
    /// The part of the widget from the lowest to the highest value, above the handles.
    QRectF barArea() const;
    void paintMap(QPainter& painter, const QRectF& track) const;
    Grip gripAt(double x) const;
    /// Moves the gripped part so that its value becomes `value`; a band is moved by its lower value.
    void move(Grip grip, double value);

    double m_low = 0, m_high = 1;
    double m_values[2] = {0, 1};
    int m_handle = 0;         ///< the handle that keys move
    Grip m_grip = Grip::none; ///< the part that the mouse holds
    double m_gripOffset = 0;  ///< difference between the value under the mouse and the gripped value
    bool m_automatic = false;
    HistogramBars m_bars;
    std::optional<std::array<std::uint32_t, 256>> m_map;
};

} // namespace scanloupe::gui
