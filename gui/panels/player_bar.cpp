// Plays a sequence, and steps through it.
#include "gui/panels/player_bar.h"

#include "gui/controls/icons.h"
#include "gui/jobs/playlist.h"
#include "gui/sliders/number_box.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

namespace scanloupe::gui {

PlayerBar::PlayerBar(Playlist& playlist, QWidget* parent)
    : QWidget(parent), m_playlist(playlist), m_slider(new QSlider(Qt::Horizontal, this)),
      m_place(new QLabel(this)), m_rate(new NumberBox(this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(4);
    const auto add = [&](const char* icon, const QString& tip) {
        QToolButton* button = iconButton(QString::fromLatin1(icon), tip, this);
        row->addWidget(button);
        return button;
    };
    m_previous = add("previous", tr("Previous frame"));
    m_play = add("play", tr("Play"));
    m_next = add("next", tr("Next frame"));
    m_slider->setAccessibleName(tr("Frame"));
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_slider->installEventFilter(this);
    row->addWidget(m_slider, 1);
    row->addWidget(m_place);
    m_rate->setRange(0.5, 30);
    m_rate->setSuffix(tr(" frames/s"));
    m_rate->setToolTip(tr("Maximum frame rate during playback"));
    m_rate->setAccessibleName(tr("Frames per second"));
    m_rate->setValue(playlist.rate());
    row->addWidget(m_rate);

    connect(m_previous, &QToolButton::clicked, this, [this] { m_playlist.step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { m_playlist.step(1); });
    connect(m_play, &QToolButton::clicked, this, [this] { m_playlist.setPlaying(!m_playlist.isPlaying()); });
    connect(m_slider, &QSlider::valueChanged, this, [this](int frame) { m_playlist.show(frame); });
    connect(m_rate, &NumberBox::valueChanged, &m_playlist, &Playlist::setRate);
    connect(&playlist, &Playlist::replaced, this, &PlayerBar::showList);
    connect(&playlist, &Playlist::moved, this, &PlayerBar::showPlace);
    connect(&playlist, &Playlist::playingChanged, this, &PlayerBar::showPlaying);
    showList();
}

QString PlayerBar::text() const {
    return m_place->text();
}

void PlayerBar::showList() {
    const bool sequence = m_playlist.size() > 1 && m_playlist.kind() == Playlist::Kind::sequence;
    setVisible(sequence);
    if (!sequence)
        return;
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, m_playlist.size() - 1);
    // keeps the length of the slider constant from frame to frame
    m_place->setMinimumWidth(
        fontMetrics().horizontalAdvance(tr("%1 of %2").arg(m_playlist.size()).arg(m_playlist.size())));
    showPlace();
    m_slider->setFocus(); // arrow keys step from here on
}

void PlayerBar::showPlace() {
    if (m_playlist.size() == 0)
        return;
    if (m_playlist.wanted() < 0) { // all scans are shown together
        m_place->setText(tr("all %1").arg(m_playlist.size()));
        setToolTip({});
        return;
    }
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(m_playlist.wanted());
    m_place->setText(tr("%1 of %2").arg(m_playlist.wanted() + 1).arg(m_playlist.size()));
    setToolTip(m_playlist.nameOf(m_playlist.wanted()));
}

void PlayerBar::showPlaying(bool playing) {
    m_play->setIcon(toolIcon(playing ? QStringLiteral("pause") : QStringLiteral("play")));
    const QString tip = playing ? tr("Pause") : tr("Play");
    m_play->setToolTip(tip);
    m_play->setAccessibleName(tip);
}

bool PlayerBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Space:
        m_play->click();
        return true;
    case Qt::Key_Left: // these skip unreadable frames and wrap around
        m_playlist.step(-1);
        return true;
    case Qt::Key_Right:
        m_playlist.step(1);
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

} // namespace scanloupe::gui
