#pragma once
// Moves a slider to the clicked position at once.
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QWheelEvent>

namespace scanloupe::gui {

/// A horizontal slider that jumps to the clicked position, and passes wheel events to the panel unless it has
/// the focus.
class JumpSlider : public QSlider {
public:
    explicit JumpSlider(QWidget* parent = nullptr) : QSlider(Qt::Horizontal, parent) {
        setFocusPolicy(Qt::StrongFocus);
        setMinimumWidth(44);
    }

protected:
    void mousePressEvent(QMouseEvent* event) override {
        QStyleOptionSlider option;
        initStyleOption(&option);
        const QRect handle =
            style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
        if (event->button() == Qt::LeftButton && !handle.contains(event->pos())) {
            const int span = width() - handle.width();
            setSliderPosition(QStyle::sliderValueFromPosition(
                minimum(), maximum(), event->pos().x() - handle.width() / 2, span, option.upsideDown));
        }
        QSlider::mousePressEvent(event);
    }
    void wheelEvent(QWheelEvent* event) override {
        if (hasFocus())
            QSlider::wheelEvent(event);
        else
            event->ignore();
    }
};

} // namespace scanloupe::gui
