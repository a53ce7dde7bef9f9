// Collects the entries of the menus.
#include "gui/app/menu_commands.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>

namespace scanloupe::gui {

namespace {

QString keysOf(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& sequence : action.shortcuts())
        keys << sequence.toString(QKeySequence::NativeText);
    return keys.join(QStringLiteral(", "));
}

/// @param reachable all menus above can be opened
void collect(const QList<QAction*>& actions, const QString& path, bool reachable,
             std::vector<MenuCommand>& all) {
    for (QAction* action : actions) {
        const QString text = plainText(action->text());
        if (action->isSeparator() || !action->isVisible() || text.isEmpty())
            continue;
        if (QMenu* menu = action->menu()) {
            emit menu->aboutToShow(); // some menus fill themselves then
            collect(menu->actions(), path.isEmpty() ? text : path + QStringLiteral(" › ") + text,
                    reachable && action->isEnabled(), all);
            continue;
        }
        all.push_back(
            {{text, path, keysOf(*action), reachable && action->isEnabled(), action->isChecked()}, action});
    }
}

} // namespace

std::vector<MenuCommand> menuCommands(const QMenuBar& bar) {
    std::vector<MenuCommand> all;
    collect(bar.actions(), {}, true, all);
    return all;
}

} // namespace scanloupe::gui
