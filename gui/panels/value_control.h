#pragma once
#include "gui/panels/value_scale.h"

#include <QWidget>

class QSlider;

namespace scanloupe::gui {

class NumberBox;

/// One number: a slider over the values that make sense for the data and a spin box over all that are
/// allowed, kept in step.
class ValueControl : public QWidget {
    Q_OBJECT
public:
    struct Limits {
        double min = 0, max = 1; ///< what the spin box accepts
        bool whole = false;      ///< takes whole numbers only
        QString unit;
        QString zeroText; ///< shown in place of the minimum, e.g. "no limit"
    };
    /// `name` is for screen readers. Without `withSlider` there is a spin box only.
    ValueControl(const QString& name, const Limits& limits, bool withSlider, QWidget* parent = nullptr);

    double value() const { return m_value; }
    /// Shows a value without telling anyone.
    void setValue(double value);
    /// What the slider spans; left alone while it is held.
    void setScale(const ValueScale& scale);
    const ValueScale& scale() const { return m_scale; }
    void setUnit(const QString& unit);
    /// Greyed: the value was chosen from the data.
    void setAutomatic(bool automatic);

    QSlider* slider() const { return m_slider; }
    NumberBox* box() const { return m_box; }

signals:
    /// Someone moved the slider or the spin box.
    void edited(double value);

private:
    void onSliderMoved(int position);
    void onNumberTyped(double value);
    void showSlider();

    ValueScale m_scale;
    double m_value = 0;
    QSlider* m_slider = nullptr;
    NumberBox* m_box;
};

} // namespace scanloupe::gui
