#pragma once
// Scrolls a column of controls vertically.
#include <QScrollArea>

namespace scanloupe::gui {

/// A column of controls that scrolls vertically only. When the focus moves to a control that is too wide, a
/// QScrollArea would scroll sideways; here the control is cut off on the right.
class ColumnScroll : public QScrollArea {
public:
    explicit ColumnScroll(QWidget* parent) : QScrollArea(parent) {
        setFrameShape(QFrame::NoFrame);
        setWidgetResizable(true);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        auto* content = new QWidget(this);
        content->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        setWidget(content);
    }
};

} // namespace scanloupe::gui
