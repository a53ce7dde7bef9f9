// Implements what the controllers have in common.
#include "gui/controllers/window_context.h"

#include "gui/controls/icons.h"
#include "gui/jobs/failure.h"
#include "gui/views/view_area.h"

#include <QAction>
#include <QMenu>
#include <utility>

namespace scanloupe::gui {

QAction* addMenuTool(QWidget& window, QMenu* menu, const char* icon, const QString& text,
                     const QKeySequence& keys, std::function<void()> action) {
    QAction* entry = menu->addAction(icon ? toolIcon(QString::fromLatin1(icon)) : QIcon(), text);
    entry->setShortcut(keys);
    window.addAction(entry);
    QObject::connect(entry, &QAction::triggered, &window, std::move(action));
    return entry;
}

QAction* WindowContext::addTool(QMenu* menu, const char* icon, const QString& text, const QKeySequence& keys,
                                std::function<void()> action) const {
    return addMenuTool(widget, menu, icon, text, keys, std::move(action));
}

QAction* WindowContext::addSwitch(QMenu* menu, const char* icon, const QString& text,
                                  const QKeySequence& keys, std::function<void()> action) const {
    QAction* entry = addTool(menu, icon, text, keys, std::move(action));
    entry->setCheckable(true);
    return entry;
}

void WindowContext::keepInViews(QAction* action) const {
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    widget.removeAction(action);
    for (ScanView* view : views.views())
        view->widget()->addAction(action);
}

void WindowContext::showError(const Failure& failure) const {
    if (!failure.sentence.isEmpty())
        messages.showError(failure.sentence, failure.nextStep);
}

void WindowContext::showError(const std::exception_ptr& error, const QString& whenShort) const {
    showError(failureOf(error, whenShort));
}

Controller::Controller(const WindowContext& window)
    : QObject(&window.widget), m_window(window), m_work(window.work) {}

} // namespace scanloupe::gui
