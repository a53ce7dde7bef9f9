#pragma once
// Declares the list of all entries of a menu bar.
#include "gui/models/command_model.h"

#include <QPointer>
#include <vector>

class QAction;
class QMenuBar;

namespace scanloupe::gui {

/// An entry of a menu.
struct MenuCommand {
    Command command;
    QPointer<QAction> action;
};

/// All entries that run something, in the order of the menus. Menus that fill themselves when they open
/// contribute their current entries.
std::vector<MenuCommand> menuCommands(const QMenuBar& bar);

} // namespace scanloupe::gui
