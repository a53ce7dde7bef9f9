#pragma once
// A label of several lines that is never lower than its text.
#include <QLabel>
#include <QResizeEvent>

namespace scanloupe::gui {

/// A label with wrapped text. Nested grids give an ordinary one too few lines at some widths.
class WrappedLabel : public QLabel {
public:
    explicit WrappedLabel(const QString& text, QWidget* parent) : QLabel(text, parent) { setWordWrap(true); }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QLabel::resizeEvent(event);
        setMinimumHeight(heightForWidth(event->size().width()));
    }
};

} // namespace scanloupe::gui
