#pragma once
// Declares the start page of the empty window.
#include <QWidget>

class QBoxLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace scanloupe::gui {

/// Start page of the empty window: opens a scan, the sample, or a recent file.
class WelcomePane : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePane(QWidget* parent = nullptr);
    /// Paths, newest first; the first eight are listed.
    void setRecentFiles(const QStringList& paths);
    /// Offers to restore the work that was open before a crash. Empty: no offer.
    void offerRestore(const QString& what, const QString& why);

signals:
    void openRequested();
    void sampleRequested();
    void recentChosen(const QString& path);
    void restoreRequested();
    void discardRequested(); ///< emitted when the user discards the offered work

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Cuts the names of the recent files to the width.
    void elideNames();

    QWidget* m_recent;
    QVBoxLayout* m_recentLines;
    QBoxLayout* m_buttons = nullptr; ///< in a row, or stacked in a narrow window
    QStringList m_paths;
    QWidget* m_restore = nullptr; ///< offer to restore, with the reason
    QPushButton* m_restoreButton = nullptr;
    QLabel* m_restoreWhy = nullptr;
    QList<QPushButton*> m_recentButtons; ///< buttons of the first paths, in their order
};

} // namespace scanloupe::gui
