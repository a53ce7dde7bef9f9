#pragma once
#include <QWidget>

class QBoxLayout;
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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* m_recent;
    QVBoxLayout* m_recentLines;
    QBoxLayout* m_buttons = nullptr; ///< side by side, or in a narrow window below each other
    QStringList m_paths;
};

} // namespace scanloupe::gui
