#pragma once
// Declares the playback controls of a sequence.
#include <QWidget>

class QLabel;
class QSlider;
class QToolButton;

namespace scanloupe::gui {

class NumberBox;
class Playlist;

/// Playback controls of a sequence: previous, play, next, and a slider over all frames. With the focus, the
/// arrow keys, Home, End and Space do the same. Hidden while no sequence is open.
class PlayerBar : public QWidget {
    Q_OBJECT
public:
    explicit PlayerBar(Playlist& playlist, QWidget* parent = nullptr);

    QSlider* slider() const { return m_slider; }
    QToolButton* playButton() const { return m_play; }
    QString text() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showList();
    void showPlace();
    void showPlaying(bool playing);

    Playlist& m_playlist;
    QToolButton* m_previous;
    QToolButton* m_play;
    QToolButton* m_next;
    QSlider* m_slider;
    QLabel* m_place;
    NumberBox* m_rate;
};

} // namespace scanloupe::gui
