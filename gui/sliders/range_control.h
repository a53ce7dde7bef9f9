#pragma once
// Declares the control of an interval: a slider with two handles over a histogram, and two numbers.
#include <QString>
#include <QWidget>

namespace scanloupe::gui {

class NumberBox;
class RangeSlider;

/// An interval of two numbers, the lower one below the upper one: a slider over the values that are useful
/// for the data, and below its ends boxes for all allowed values. If a typed number would make the interval
/// empty, the other one moves, too.
class RangeControl : public QWidget {
    Q_OBJECT
public:
    /// Accessible names of the parts.
    struct Names {
        QString lower, slider, upper;
    };
    /// @param min, max limits of the boxes
    RangeControl(const Names& names, double min, double max, QWidget* parent = nullptr);

    /// Shows values without emitting signals. @param automatic grey, since they were chosen from the data
    void setValues(double lower, double upper, bool automatic);
    RangeSlider* slider() const { return m_slider; }
    NumberBox* lower() const { return m_boxes[0]; }
    NumberBox* upper() const { return m_boxes[1]; }

signals:
    /// Emitted when the user moved a handle or typed a number; the lower value is below the upper one.
    void edited(double lower, double upper);

private:
    NumberBox* makeBox(const QString& name);
    void onNumberTyped(int end, double value);

    double m_min, m_max;
    double m_values[2] = {0, 1};
    RangeSlider* m_slider;
    NumberBox* m_boxes[2];
};

} // namespace scanloupe::gui
