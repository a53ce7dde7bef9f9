// Paints the picture of another run next to the view's own.
#include "gui/views/surface/compare_pane.h"

#include "engine/results/snapshot.h"
#include "gui/views/surface/colour_legend.h"
#include "gui/views/surface/picture_image.h"
#include "gui/views/surface/view_overlay.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

constexpr int kGrip = 13;      // width of the grip area, pixels
constexpr double kEdge = 24;   // minimum width of both parts, pixels
constexpr double kKeyStep = 8; // pixels

/// The widget that the mouse drags; the pane paints the line.
class Divider : public QWidget {
public:
    Divider(ComparePane& pane, QWidget* view) : QWidget(view), m_pane(pane) {
        setObjectName(QStringLiteral("compareDivider"));
        setCursor(Qt::SplitHCursor);
        setFocusPolicy(Qt::TabFocus); // a click leaves the keyboard focus with the view
        setAccessibleName(ComparePane::tr("Divider between A and B"));
        setToolTip(ComparePane::tr("Drag: A to the left, B to the right. A double click: to the middle."));
    }

protected:
    void mousePressEvent(QMouseEvent* event) override { event->accept(); }
    void mouseMoveEvent(QMouseEvent* event) override {
        if (event->buttons() & Qt::LeftButton)
            m_pane.moveDivider(mapToParent(event->position()).x());
    }
    void mouseReleaseEvent(QMouseEvent* event) override { event->accept(); }
    void mouseDoubleClickEvent(QMouseEvent*) override { m_pane.moveDivider(m_pane.width() / 2.0); }
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right)
            return QWidget::keyPressEvent(event);
        m_pane.moveDivider(m_pane.dividerAt() + (event->key() == Qt::Key_Left ? -kKeyStep : kKeyStep));
    }
    void focusInEvent(QFocusEvent*) override { m_pane.update(); }
    void focusOutEvent(QFocusEvent*) override { m_pane.update(); }

private:
    ComparePane& m_pane;
};

} // namespace

ComparePane::ComparePane(std::function<Overlay()> overlay, QWidget* view)
    : QWidget(view), m_overlay(std::move(overlay)),
      m_copier([this](const SnapshotPtr& copied) { showPicture(copied); },
               // the device is lost: the next run reports it
               [](const std::exception_ptr&) {}) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    m_divider = new Divider(*this, view);
}

ComparePane::~ComparePane() {
    delete m_divider;
}

void ComparePane::setSnapshot(const SnapshotPtr& a) {
    m_wanted = a;
    if (!a->picture)
        return;
    if (a->picture->image.hasHost())
        return showPicture(a);
    m_copier.run([a](const std::stop_token&) {
        a->picture->image.bringToHost();
        return a;
    });
}

void ComparePane::showPicture(const SnapshotPtr& a) {
    if (a != m_wanted && m_shown == m_wanted)
        return; // the requested picture needed no copy
    m_shown = a;
    m_image = imageOf(a->picture);
    update();
}

double ComparePane::dividerAt() const {
    return std::round(std::clamp(m_share * width(), kEdge, std::max(kEdge, width() - kEdge)));
}

void ComparePane::moveDivider(double x) {
    m_share = width() > 0 ? std::clamp(x / width(), 0.0, 1.0) : m_share;
    placeDivider();
    update();
}

void ComparePane::placeDivider() {
    m_divider->setGeometry(int(dividerAt()) - kGrip / 2, 0, kGrip, height());
    m_divider->show();
    m_divider->raise();
}

void ComparePane::setUnit(LengthUnit unit) {
    m_unit = unit;
    update();
}

void ComparePane::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    placeDivider();
}

void ComparePane::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    placeDivider();
}

void ComparePane::paintEvent(QPaintEvent*) {
    const double at = dividerAt();
    const QRectF view(rect()), ofA(0, 0, at, height());
    QPainter painter(this);
    painter.save();
    painter.setClipRect(ofA);
    if (m_image.isNull()) {
        painter.fillRect(ofA, viewBackground());
    } else {
        const QSize pixels = (QSizeF(size()) * devicePixelRatioF()).toSize();
        painter.setRenderHint(QPainter::SmoothPixmapTransform, m_image.size() != pixels);
        painter.drawImage(view, m_image);
    }
    Overlay overlay = m_overlay();
    const bool hasLegend = !overlay.legend.isNull();
    overlay.legend = {}; // the view's own legend is that of B
    paintOverlay(painter, overlay, view);
    if (hasLegend && m_shown) {
        const QImage legend = legendImage(legendOf(*m_shown, m_unit), font(), devicePixelRatioF());
        overlay = {{}, overlay.tripod, legend, overlay.margin};
        painter.setClipRect(ofA);
        paintOverlay(painter, overlay, ofA);
    }
    painter.restore();

    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF(at - 2, 0, 4, height()), QColor(20, 23, 26, 170));
    painter.fillRect(QRectF(at - 1, 0, 2, height()),
                     m_divider->hasFocus() ? focusColour() : QColor(240, 243, 246));
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.4);
    const QFontMetricsF metrics(bold);
    constexpr double gap = 10;
    // below the title, which is above the divider in a narrow view
    const double baseline = gap + 1.5 * QFontMetricsF(font()).height() + metrics.ascent();
    drawOverlayText(painter, {at - gap - metrics.horizontalAdvance(tr("A")), baseline}, tr("A"), bold,
                    QColor(240, 243, 246));
    drawOverlayText(painter, {at + gap, baseline}, tr("B"), bold, QColor(240, 243, 246));
}

} // namespace scanloupe::gui
