#pragma once
// Declares the list of the files that are opened together.
#include <QWidget>

class QLabel;
class QTableView;

namespace scanloupe::gui {

class Playlist;

/// The files that are opened together; a click shows another one. Hidden for a single file.
class ScanListPanel : public QWidget {
    Q_OBJECT
public:
    explicit ScanListPanel(Playlist& playlist, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }

private:
    void showList();
    void select();

    Playlist& m_playlist;
    QLabel* m_title;
    QTableView* m_table;
};

} // namespace scanloupe::gui
