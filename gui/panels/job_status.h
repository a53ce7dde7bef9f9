#pragma once
// Declares the display of the running job.
#include <QElapsedTimer>
#include <QHash>
#include <QWidget>

class QLabel;
class QProgressBar;
class QTimer;
class QToolButton;

namespace scanloupe::gui {

/// Shows the running job, its progress and a cancel button in the status bar. Very short jobs are not shown;
/// long jobs show the remaining time; stalled jobs, for example on a disk that does not respond, show since
/// when.
class JobStatus : public QWidget {
    Q_OBJECT
public:
    explicit JobStatus(QWidget* parent = nullptr);

    QString what() const;
    bool isShown() const; ///< progress bar and cancel button are visible
    QToolButton* cancelButton() const { return m_cancel; }

public slots:
    void setBusy(bool busy);
    /// @param done 0 to 1
    void setProgress(const QString& what, double done);

signals:
    void cancelRequested();

private:
    void showWork(bool shown);
    void showStall();

    QLabel* m_what;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QTimer* m_delay;
    QTimer* m_stall;            ///< fires when a job makes no progress
    QElapsedTimer m_progressed; ///< time since the last progress
    QString m_text;             ///< name of the job, with its time to go
    struct Start {
        QElapsedTimer timer;
        double done = 0, last = 0; ///< progress when the timer started, and now
    };
    QHash<QString, Start> m_starts; ///< the first progress of each job
};

/// "about 12 s to go" for a job that took `elapsedMs` from `doneBefore` to `done` (0 to 1); empty while that
/// is unknown or too short to show.
QString textOfTimeToGo(double elapsedMs, double doneBefore, double done);
/// "no progress for 12 s"; empty while that is usual.
QString textOfStall(double stalledMs);

} // namespace scanloupe::gui
