#pragma once
#include <QDoubleSpinBox>

namespace scanloupe::gui {

/// A spin box for numbers of any size: shows as many digits as a value has, up to its decimals, and takes its
/// value when it is whole (Enter, Tab, an arrow), not at each key.
class NumberBox : public QDoubleSpinBox {
    Q_OBJECT
public:
    explicit NumberBox(QWidget* parent = nullptr);

    /// Shows a value without telling anyone; what is being typed stays when the value is the one that is
    /// known.
    void showValue(double value);

    QString textFromValue(double value) const override;
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override { return minimumSizeHint(); }

protected:
    /// A wheel that scrolls the panel must not change a value in passing.
    void wheelEvent(QWheelEvent* event) override;

private:
    double m_shown = 0;
};

} // namespace scanloupe::gui
