// Draws and moves a slider with two handles over a histogram.
#include "gui/sliders/range_slider.h"

#include "engine/picture/histograms/scan_histograms.h"
#include "gui/sliders/value_scale.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {
constexpr double kHandle = 5;                                // radius, pixels
constexpr double kBinSteps = 1000.0 / ScanHistograms::kBins; // see RangeSlider::step
} // namespace

RangeSlider::RangeSlider(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void RangeSlider::setSpan(double low, double high) {
    if (m_grip != Grip::none || !(low < high))
        return;
    m_low = low;
    m_high = high;
    update();
}

void RangeSlider::setValues(double lower, double upper) {
    m_values[0] = lower;
    m_values[1] = upper;
    update();
}

void RangeSlider::setAutomatic(bool automatic) {
    m_automatic = automatic;
    update();
}

void RangeSlider::setHistogram(std::shared_ptr<const Histogram> histogram, const QString& counted,
                               const QString& unit) {
    m_bars.setHistogram(std::move(histogram), counted, unit);
    update();
}

void RangeSlider::setGaussFit(const std::optional<GaussFit>& fit) {
    if (m_bars.gaussFit() == fit)
        return;
    m_bars.setGaussFit(fit);
    update();
}

void RangeSlider::setColourMap(const std::array<std::uint32_t, 256>& map) {
    m_map = map;
    update();
}

QPointF RangeSlider::handleCentre(int handle) const {
    const double part = std::clamp((m_values[handle] - m_low) / (m_high - m_low), 0.0, 1.0);
    return {kHandle + 1 + part * (width() - 2 * kHandle - 2), height() - kHandle - 2};
}

QRectF RangeSlider::barArea() const {
    return QRectF(QPointF(kHandle + 1, 1), QPointF(width() - kHandle - 1, handleCentre(0).y() - 3));
}

bool RangeSlider::isOnHandle(int handle, double x) const {
    return std::abs(x - handleCentre(handle).x()) <= kHandle + 2;
}

double RangeSlider::valueAt(double x) const {
    return m_low + (x - kHandle - 1) / std::max(1.0, width() - 2 * kHandle - 2) * (m_high - m_low);
}

RangeSlider::Grip RangeSlider::gripAt(double x) const {
    const double lower = handleCentre(0).x(), upper = handleCentre(1).x();
    // if both are near, the handle on the mouse's side of their centre, so that they can be separated
    const Grip nearest = x < (lower + upper) / 2 ? Grip::lower : Grip::upper;
    const double distance = std::abs(x - (nearest == Grip::lower ? lower : upper));
    return x > lower && x < upper && distance > kHandle + 2 ? Grip::band : nearest;
}

void RangeSlider::move(Grip grip, double value) {
    const auto tidy = [&](double v) { return roundToResolution(v, step()); };
    double lower = m_values[0], upper = m_values[1];
    if (grip == Grip::lower) {
        lower = std::min(tidy(std::clamp(value, m_low, m_high)), upper - step());
    } else if (grip == Grip::upper) {
        upper = std::max(tidy(std::clamp(value, m_low, m_high)), lower + step());
    } else {
        const double size = upper - lower;
        lower = tidy(std::clamp(value, std::min(m_low, lower), std::max(m_high - size, lower)));
        upper = lower + size;
    }
    if (lower == m_values[0] && upper == m_values[1])
        return;
    setValues(lower, upper);
    emit edited(lower, upper);
}

void RangeSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const double x = event->position().x();
    m_grip = gripAt(x);
    m_handle = m_grip == Grip::upper ? 1 : 0;
    m_gripOffset = valueAt(x) - m_values[m_handle];
    // outside of the band the handle jumps to the mouse
    if (m_grip != Grip::band && !isOnHandle(m_handle, x)) {
        m_gripOffset = 0;
        move(m_grip, valueAt(x));
    }
    update();
}

void RangeSlider::mouseMoveEvent(QMouseEvent* event) {
    if (m_grip != Grip::none)
        move(m_grip, valueAt(event->position().x()) - m_gripOffset);
}

void RangeSlider::mouseReleaseEvent(QMouseEvent*) {
    m_grip = Grip::none;
    update();
}

void RangeSlider::mouseDoubleClickEvent(QMouseEvent* event) {
    const double x = event->position().x();
    const Grip grip = gripAt(x);
    const int handle = grip == Grip::upper ? 1 : 0;
    if (event->button() == Qt::LeftButton && grip != Grip::band && isOnHandle(handle, x))
        emit numberWanted(handle);
    else
        mousePressEvent(event);
}

void RangeSlider::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    m_bars.addActions(*menu, [this] { update(); });
    menu->popup(event->globalPos());
}

bool RangeSlider::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = m_bars.toolTip(valueAt(help->pos().x()), {m_low, m_high}, barArea().width());
        if (!text.isEmpty()) {
            QToolTip::showText(help->globalPos(), text, this);
            return true;
        }
    }
    return QWidget::event(event);
}

void RangeSlider::keyPressEvent(QKeyEvent* event) {
    const Grip grip = m_handle == 0 ? Grip::lower : Grip::upper;
    double steps = 0;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        steps = -kBinSteps;
        break;
    case Qt::Key_Right:
    case Qt::Key_Up:
        steps = kBinSteps;
        break;
    case Qt::Key_PageDown:
        steps = -10 * kBinSteps;
        break;
    case Qt::Key_PageUp:
        steps = 10 * kBinSteps;
        break;
    case Qt::Key_Space:
        m_handle = 1 - m_handle;
        update();
        return;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    move(grip, m_values[m_handle] + steps * step());
}

void RangeSlider::paintMap(QPainter& painter, const QRectF& track) const {
    const auto colourAt = [&](std::size_t i) {
        const std::uint32_t c = (*m_map)[i];
        return QColor(int(c & 255), int(c >> 8 & 255), int(c >> 16 & 255));
    };
    // beyond its ends, the gradient continues with the end colours
    QLinearGradient gradient(handleCentre(0), handleCentre(1));
    constexpr std::size_t step = 15; // colours of the map between stops; divides 255
    for (std::size_t i = 0; i < m_map->size(); i += step)
        gradient.setColorAt(double(i) / 255, colourAt(i));
    painter.setPen(Qt::NoPen);
    if (m_values[0] < m_values[1])
        painter.setBrush(gradient);
    else
        painter.setBrush(colourAt(0));
    painter.drawRoundedRect(track, 2, 2);
}

void RangeSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPalette& p = palette();
    const QPointF lower = handleCentre(0), upper = handleCentre(1);
    const double y = lower.y();
    const bool live = isEnabled() && !m_automatic;
    m_bars.paint(painter, barArea(), {m_low, m_high}, m_values[0], m_values[1], p, live);
    if (m_map) {
        paintMap(painter, QRectF(1.5, y - 3, width() - 3, 6));
    } else {
        painter.setPen(QPen(p.color(QPalette::Mid), 1));
        painter.setBrush(p.color(QPalette::Window).darker(110));
        painter.drawRoundedRect(QRectF(1.5, y - 2, width() - 3, 4), 2, 2);
        painter.setPen(Qt::NoPen);
        painter.setBrush(live ? p.color(QPalette::Highlight)
                              : p.color(QPalette::Disabled, QPalette::WindowText));
        painter.drawRect(QRectF(lower.x(), y - 2, upper.x() - lower.x(), 4));
    }
    for (int handle = 0; handle < 2; ++handle) {
        const bool focused = hasFocus() && handle == m_handle;
        QColor rim = p.color(QPalette::WindowText);
        rim.setAlphaF(0.6f); // visible on dark backgrounds, too
        painter.setPen(QPen(focused ? p.color(QPalette::Highlight) : rim, focused ? 2 : 1));
        painter.setBrush(p.color(QPalette::Button));
        painter.drawEllipse(handle == 0 ? lower : upper, kHandle, kHandle);
    }
}

} // namespace scanloupe::gui
