#pragma once
// Declares the list of the files that are opened together.
#include <QWidget>

class QLabel;
class QTableView;

namespace scanloupe::gui {

class Playlist;

/// The files that are opened together; a click shows another one. Scans of one place are shown together:
/// their check boxes hide them. Hidden for a single file.
class ScanListPanel : public QWidget {
    Q_OBJECT
public:
    explicit ScanListPanel(Playlist& playlist, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }

private:
    void showList();
    void select();
    /// Hides all other scans; or shows all, if it is the only visible one.
    void showOnly(int index);
    void showSelected();
    void showAll();

    Playlist& m_playlist;
    QLabel* m_title;
    QTableView* m_table;
};

} // namespace scanloupe::gui
