#pragma once
// Declares the list of all keys.
#include "gui/app/menu_commands.h"

#include <QDialog>

class QTreeWidget;

namespace scanloupe::gui {

/// Lists what mouse and keys do in the views, and the keys of all commands, by their menus. Not modal.
class KeysDialog : public QDialog {
    Q_OBJECT
public:
    explicit KeysDialog(const std::vector<MenuCommand>& commands, QWidget* parent = nullptr);

private:
    void filter(const QString& words);

    QTreeWidget* m_tree;
};

} // namespace scanloupe::gui
