#pragma once
// Declares the command palette.
#include "gui/app/menu_commands.h"

#include <QFrame>

class QLabel;
class QLineEdit;
class QTreeView;

namespace scanloupe::gui {

/// A list of all commands over the window, filtered while the user types. Arrow keys select, Enter runs, Esc
/// or a click elsewhere closes.
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(std::vector<MenuCommand> commands, QWidget* window);

    /// Opens at the window's top, and takes the keyboard focus.
    void open();
    QLineEdit* field() const { return m_field; }
    QTreeView* list() const { return m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search(const QString& query);
    /// Moves by rows, skipping those that cannot be selected.
    void step(int rows);
    void run(int row);
    void close();

    std::vector<MenuCommand> m_commands;
    CommandModel* m_model;
    QLineEdit* m_field;
    QTreeView* m_list;
    QLabel* m_nothing;
    QPointer<QWidget> m_focusBefore;
};

} // namespace scanloupe::gui
