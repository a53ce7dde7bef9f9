// Scrolls a column of controls, whose height follows from its texts.
#include "gui/controls/column_scroll.h"

#include <QEvent>
#include <QLayout>

namespace scanloupe::gui {

ColumnScroll::ColumnScroll(QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget(this);
    content->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setWidget(content);
    content->installEventFilter(this);
}

bool ColumnScroll::eventFilter(QObject* watched, QEvent* event) {
    const bool done = QScrollArea::eventFilter(watched, event);
    if (watched == widget() && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
        fitHeight();
    return done;
}

void ColumnScroll::fitHeight() {
    QWidget* content = widget();
    QLayout* column = content->layout();
    if (column && column->hasHeightForWidth())
        content->setMinimumHeight(column->totalHeightForWidth(content->width()));
}

} // namespace scanloupe::gui
