// Guides the user through the window.
#include "gui/app/tour_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

namespace scanloupe::gui {

namespace {

constexpr int kNarrowBar = 640; // pixels; narrower bars would leave a few words a line next to the buttons

/// A frame drawn over other widgets; mouse events pass through to them.
class Outline : public QWidget {
public:
    explicit Outline(QWidget* parent) : QWidget(parent) {
        setObjectName(QStringLiteral("tourFrame"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        constexpr double width = 3;
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(palette().color(QPalette::Highlight), width));
        painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), 5, 5);
    }
};

} // namespace

TourBar::TourBar(std::vector<TourStep> steps, QWidget* window)
    : m_steps(std::move(steps)), m_row(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      m_text(new QLabel(this)), m_back(new QPushButton(tr("&Back"), this)), m_next(new QPushButton(this)),
      m_frame(new Outline(window)) {
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    setAccessibleName(tr("Tour"));
    auto* skip = new QPushButton(tr("&Skip"), this);
    skip->setObjectName(QStringLiteral("skip"));
    skip->setToolTip(tr("End the tour. Help > Tour brings it back."));
    m_back->setObjectName(QStringLiteral("back"));
    m_next->setObjectName(QStringLiteral("next"));
    m_row->setContentsMargins(10, 6, 6, 6);
    m_text->setWordWrap(true);
    m_row->addWidget(m_text, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    for (QPushButton* button : {skip, m_back, m_next})
        buttons->addWidget(button);
    m_row->addLayout(buttons);
    connect(skip, &QPushButton::clicked, this, &TourBar::end);
    connect(m_back, &QPushButton::clicked, this, &TourBar::back);
    connect(m_next, &QPushButton::clicked, this, &TourBar::next);
    for (const TourStep& step : m_steps)
        step.explained->installEventFilter(this);
    showStep(0);
}

TourBar::~TourBar() {
    delete m_frame;
}

void TourBar::showStep(int step) {
    m_step = std::clamp(step, 0, int(m_steps.size()) - 1);
    const TourStep& shown = m_steps[std::size_t(m_step)];
    m_text->setText(QStringLiteral("<b>%1 (%2)</b> %3")
                        .arg(shown.title.toHtmlEscaped(), tr("%1 of %2").arg(m_step + 1).arg(m_steps.size()),
                             shown.text.toHtmlEscaped()));
    m_back->setEnabled(m_step > 0);
    m_next->setText(m_step + 1 == int(m_steps.size()) ? tr("&Done") : tr("&Next"));
    placeFrame();
}

void TourBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    m_row->setDirection(width() < kNarrowBar ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void TourBar::placeFrame() {
    QWidget* explained = m_steps[std::size_t(m_step)].explained;
    if (!m_frame)
        return;
    const bool isSeen = explained && explained->isVisible() && explained->window() == m_frame->window();
    m_frame->setVisible(isSeen);
    if (!isSeen)
        return;
    m_frame->setGeometry({explained->mapTo(m_frame->parentWidget(), QPoint(0, 0)), explained->size()});
    m_frame->raise();
}

void TourBar::next() {
    if (m_step + 1 == int(m_steps.size()))
        end();
    else
        showStep(m_step + 1);
}

void TourBar::back() {
    showStep(m_step - 1);
}

void TourBar::end() {
    hide();
    if (m_frame)
        m_frame->hide();
    deleteLater();
}

bool TourBar::eventFilter(QObject* watched, QEvent* event) {
    const auto type = event->type();
    if (!isHidden() && (type == QEvent::Resize || type == QEvent::Move || type == QEvent::Show ||
                        type == QEvent::Hide || type == QEvent::ParentChange))
        // deferred: the widget's position in the window is set after this event
        QMetaObject::invokeMethod(this, &TourBar::placeFrame, Qt::QueuedConnection);
    return QFrame::eventFilter(watched, event);
}

} // namespace scanloupe::gui
