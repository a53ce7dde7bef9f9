#pragma once
// Scrolls a column of controls vertically.
#include <QScrollArea>

namespace scanloupe::gui {

/// A column of controls that scrolls vertically only. When the focus moves to a control that is too wide, a
/// QScrollArea would scroll sideways; here the control is cut off on the right. Unlike in a QScrollArea,
/// wrapped texts get as many lines as they need in the column's width.
class ColumnScroll : public QScrollArea {
public:
    explicit ColumnScroll(QWidget* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitHeight();
};

} // namespace scanloupe::gui
