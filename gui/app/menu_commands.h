#pragma once
// Declares the list of all entries of a menu bar.
#include "gui/models/command_model.h"

#include <QPointer>

class QAction;
class QMenuBar;

namespace scanloupe::gui {

/// An entry of a menu.
struct MenuCommand {
    Command command;
    QPointer<QAction> action;
};

/// All entries that run something, in the order of the menus; of menus that fill themselves when they open,
/// what they hold now.
std::vector<MenuCommand> menuCommands(const QMenuBar& bar);

} // namespace scanloupe::gui
