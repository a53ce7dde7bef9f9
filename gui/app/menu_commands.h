#pragma once
// Declares the list of all entries of a menu bar.
#include "gui/models/command_model.h"

#include <QPointer>
#include <functional>

class QAction;
class QKeySequence;
class QMenu;
class QMenuBar;
class QWidget;

namespace scanloupe::gui {

/// An entry of a menu.
struct MenuCommand {
    Command command;
    QPointer<QAction> action;
};

/// Adds an entry whose key works without the menu bar, too. `icon`: of toolIcon(); null: none.
QAction* addMenuTool(QWidget& window, QMenu* menu, const char* icon, const QString& text,
                     const QKeySequence& keys, std::function<void()> action);

/// All entries that run something, in the order of the menus; of menus that fill themselves when they open,
/// what they hold now.
std::vector<MenuCommand> menuCommands(const QMenuBar& bar);

} // namespace scanloupe::gui
