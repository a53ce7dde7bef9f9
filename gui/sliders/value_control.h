#pragma once
// Declares the control of one number.
#include "gui/sliders/histogram_slider.h"
#include "gui/sliders/value_scale.h"

#include <QWidget>

namespace scanloupe::gui {

class NumberBox;

/// One number: a slider over the values that are useful for the data and a spin box over all allowed values,
/// kept in step.
class ValueControl : public QWidget {
    Q_OBJECT
public:
    struct Limits {
        double min = 0, max = 1; ///< limits of the spin box
        bool whole = false;      ///< integers only
        QString unit;
        QString zeroText; ///< shown in place of the minimum, e.g. "no limit"
    };
    /// `name` is for screen readers. Without `withSlider` there is only a spin box.
    ValueControl(const QString& name, const Limits& limits, bool withSlider, QWidget* parent = nullptr);

    /// Gives the slider a histogram above it: the box is below the slider, so that it is wider.
    void standBelowBars();

    double value() const { return m_value; }
    /// Shows a value without emitting signals.
    void setValue(double value);
    /// Sets the scale of the slider; ignored while it is held.
    void setScale(const ValueScale& scale);
    const ValueScale& scale() const { return m_scale; }
    void setUnit(const QString& unit);
    /// Shows the value in grey, since it was chosen from the data.
    void setAutomatic(bool automatic);

    HistogramSlider* slider() const { return m_slider; }
    NumberBox* box() const { return m_box; }

signals:
    /// Emitted when the user moved the slider or changed the spin box.
    void edited(double value);

private:
    void onSliderMoved(int position);
    void onNumberTyped(double value);
    void showSlider();

    ValueScale m_scale;
    double m_value = 0;
    HistogramSlider* m_slider = nullptr;
    NumberBox* m_box;
};

} // namespace scanloupe::gui
