#pragma once
#include <QScrollArea>

namespace scanloupe::gui {

/// A column of controls that scrolls up and down. It never scrolls sideways, as focus that moves to a wide
/// control would have it: what is too wide is cut on its right.
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
