// Shows the undo history in the menu.
#include "gui/controllers/history_menu.h"

#include "gui/controllers/edit_controller.h"

#include <QAction>
#include <QMenu>
#include <algorithm>
#include <functional>

namespace scanloupe::gui {

namespace {

/// The text of a step as a menu entry, shortened since a menu is as wide as its longest entry.
QString menuWords(const QString& words) {
    constexpr qsizetype most = 100, tail = 30; // characters
    return words.size() <= most ? words : words.left(most - tail) + QChar(0x2026) + words.right(tail);
}

void showSteps(const WorkHistory& history, QAction& undo, QAction& redo, QMenu& menu) {
    const auto& steps = history.steps();
    undo.setEnabled(history.canUndo());
    undo.setText(history.canUndo() ? Work::tr("&Undo %1").arg(menuWords(steps[history.current()].words))
                                   : Work::tr("&Undo"));
    redo.setEnabled(history.canRedo());
    redo.setText(history.canRedo() ? Work::tr("&Redo %1").arg(menuWords(steps[history.current() + 1].words))
                                   : Work::tr("&Redo"));
    menu.setEnabled(steps.size() > 1);
}

void listSteps(const WorkHistory& history, QMenu& menu, const std::function<void(std::size_t)>& goTo) {
    // number of steps around the current one that fit a menu on the screen
    constexpr std::size_t most = 30;
    const auto& steps = history.steps();
    const std::size_t end = std::min(steps.size(), std::max(history.current() + most / 2, most));
    menu.clear();
    for (std::size_t i = end > most ? end - most : 0; i < end; ++i) {
        QAction* entry = menu.addAction(i == 0 ? Work::tr("As Opened") : menuWords(steps[i].words), &menu,
                                        [goTo, i] { goTo(i); });
        entry->setCheckable(true);
        entry->setChecked(i == history.current());
    }
}

} // namespace

void buildHistoryMenu(const WindowContext& window, EditController& edit, QMenu* menu) {
    const auto goTo = [&edit, &work = window.work](std::size_t step) {
        edit.endStroke();
        work.goTo(step);
    };
    const WorkHistory& history = window.work.history();
    QAction* undo = window.addTool(menu, nullptr, {}, QKeySequence::Undo,
                                   [goTo, &history] { goTo(history.current() - 1); });
    QAction* redo = window.addTool(menu, nullptr, {}, {}, [goTo, &history] { goTo(history.current() + 1); });
    redo->setShortcuts({QKeySequence(Work::tr("Ctrl+Shift+Z")), QKeySequence(Work::tr("Ctrl+Y"))});
    menu->addSeparator();
    QMenu* steps = menu->addMenu(Work::tr("&History"));
    const auto show = [=, &history] { showSteps(history, *undo, *redo, *steps); };
    QObject::connect(&window.work, &Work::historyChanged, steps, show);
    QObject::connect(steps, &QMenu::aboutToShow, steps, [=, &history] { listSteps(history, *steps, goTo); });
    show();
}

} // namespace scanloupe::gui
