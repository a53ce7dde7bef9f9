#pragma once
#include <QWidget>

class QVBoxLayout;

namespace scanloupe::gui {

/// What the empty window shows: what to do first.
class WelcomePane : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePane(QWidget* parent = nullptr);
    /// Paths, newest first; the first eight are listed.
    void setRecentFiles(const QStringList& paths);

signals:
    void openRequested();
    void sampleRequested();
    void recentChosen(const QString& path);

private:
    QWidget* m_recent;
    QVBoxLayout* m_recentLines;
};

} // namespace scanloupe::gui
