// Draws a slider with one handle below the bars of a histogram.
#include "gui/sliders/histogram_slider.h"

#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace scanloupe::gui {

namespace {
constexpr int kBars = 24;      // pixels, height of the bars
constexpr int kHandleRow = 18; // pixels, height of the handle's row below them
} // namespace

HistogramSlider::HistogramSlider(QWidget* parent) : JumpSlider(parent) {}

void HistogramSlider::standBelowBars() {
    m_isBelowBars = true;
    updateGeometry();
}

void HistogramSlider::setHistogram(std::shared_ptr<const Histogram> histogram, const QString& counted,
                                   const QString& unit, Chosen chosen) {
    m_bars.setHistogram(std::move(histogram), counted, unit);
    m_chosen = chosen;
    update();
}

void HistogramSlider::setLogarithmic(bool logarithmic) {
    m_bars.setLogarithmic(logarithmic);
    update();
}

void HistogramSlider::setScale(const ValueScale& scale) {
    m_scale = scale;
    update();
}

void HistogramSlider::setAutomatic(bool automatic) {
    m_automatic = automatic;
    update();
}

QSize HistogramSlider::sizeHint() const {
    const QSize hint = JumpSlider::sizeHint();
    return m_isBelowBars ? QSize(hint.width(), kBars + kHandleRow) : hint;
}

QSize HistogramSlider::minimumSizeHint() const {
    const QSize hint = JumpSlider::minimumSizeHint();
    return m_isBelowBars ? QSize(hint.width(), kBars + kHandleRow) : hint;
}

void HistogramSlider::initStyleOption(QStyleOptionSlider* option) const {
    JumpSlider::initStyleOption(option);
    if (m_isBelowBars) // the style draws, and finds the handle, in the row below the bars
        option->rect.setTop(option->rect.bottom() - kHandleRow + 1);
}

QRect HistogramSlider::handleRect() const {
    QStyleOptionSlider option;
    initStyleOption(&option);
    return style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
}

QPointF HistogramSlider::handleCentre() const {
    return QRectF(handleRect()).center();
}

QRectF HistogramSlider::barArea() const {
    const double half = handleRect().width() / 2.0;
    return QRectF(QPointF(half, 1), QPointF(width() - half, height() - kHandleRow + 1));
}

void HistogramSlider::paintEvent(QPaintEvent* event) {
    if (m_isBelowBars) {
        QPainter painter(this);
        const double value = m_scale.value(sliderPosition());
        const bool isBelow = m_chosen == Chosen::below;
        m_bars.paint(painter, barArea(), span(), isBelow ? m_scale.low : value,
                     isBelow ? value : m_scale.high, palette(), isEnabled() && !m_automatic);
    }
    JumpSlider::paintEvent(event);
}

void HistogramSlider::mousePressEvent(QMouseEvent* event) {
    if (!m_isBelowBars) {
        JumpSlider::mousePressEvent(event);
        return;
    }
    // clicks above the handle's row act as clicks in it
    QMouseEvent inRow(event->type(), QPointF(event->position().x(), handleCentre().y()),
                      event->globalPosition(), event->button(), event->buttons(), event->modifiers());
    JumpSlider::mousePressEvent(&inRow);
    event->setAccepted(inRow.isAccepted());
}

void HistogramSlider::mouseDoubleClickEvent(QMouseEvent* event) {
    const double x = event->position().x();
    const QRect handle = handleRect();
    if (m_isBelowBars && event->button() == Qt::LeftButton && x >= handle.left() && x <= handle.right())
        emit numberWanted();
    else
        JumpSlider::mouseDoubleClickEvent(event);
}

void HistogramSlider::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_isBelowBars) {
        JumpSlider::contextMenuEvent(event);
        return;
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_bars.addActions(*menu, [this] { update(); });
    menu->popup(event->globalPos());
}

bool HistogramSlider::event(QEvent* event) {
    if (m_isBelowBars && event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QRectF area = barArea();
        const double value =
            m_scale.low + (help->pos().x() - area.left()) / area.width() * (m_scale.high - m_scale.low);
        const QString text = m_bars.toolTip(value, span(), area.width());
        if (!text.isEmpty()) {
            QToolTip::showText(help->globalPos(), text, this);
            return true;
        }
    }
    return JumpSlider::event(event);
}

} // namespace scanloupe::gui
