#pragma once
#include <QWidget>

class QLabel;
class QProgressBar;
class QTimer;
class QToolButton;

namespace scanloupe::gui {

/// For the status bar: what runs, how far it is, and a way to stop it. Work of a moment is not shown.
class JobStatus : public QWidget {
    Q_OBJECT
public:
    explicit JobStatus(QWidget* parent = nullptr);

    QString what() const;
    bool isShown() const; ///< progress and Cancel are there
    QToolButton* cancelButton() const { return m_cancel; }

public slots:
    void setBusy(bool busy);
    /// @param done 0 to 1
    void setProgress(const QString& what, double done);

signals:
    void cancelRequested();

private:
    void showWork(bool shown);

    QLabel* m_what;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
    QTimer* m_delay;
    QString m_name;
};

} // namespace scanloupe::gui
