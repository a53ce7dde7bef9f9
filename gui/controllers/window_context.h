#pragma once
// Declares the context that the controllers of a window share, with headers that all of them use.
#include "gui/controls/message_bar.h"
#include "gui/controls/save_file.h"
#include "gui/panels/log_panel.h"
#include "gui/views/view_context.h"
#include "gui/work/work.h"

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <QWidget>
#include <exception>
#include <filesystem>
#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace scanloupe::gui {

class Playlist;
class ScanJobs;
class ViewArea;
struct Failure;

/// Adds an entry whose key also works while the menu bar is hidden. `icon`: name for toolIcon(); null: no
/// icon.
QAction* addMenuTool(QWidget& window, QMenu* menu, const char* icon, const QString& text,
                     const QKeySequence& keys, std::function<void()> action);

/// The parts of a window that controllers share. All of them outlive the controllers.
struct WindowContext {
    QWidget& widget; ///< the window, which is the parent of dialogs
    Work& work;
    ScanJobs& jobs;
    Playlist& playlist;
    ViewArea& views;
    ViewContext viewing;
    MessageBar& messages;
    LogPanel& log;
    SavePathPrompt promptPath; ///< prompts for a path other than those of open files
    /// The open files, which no output may replace.
    std::function<std::vector<std::filesystem::path>()> openFiles;

    /// addMenuTool() for this window.
    QAction* addTool(QMenu* menu, const char* icon, const QString& text, const QKeySequence& keys,
                     std::function<void()> action) const;
    /// addTool() for a checkable entry.
    QAction* addSwitch(QMenu* menu, const char* icon, const QString& text, const QKeySequence& keys,
                       std::function<void()> action) const;
    /// Makes the keys of an action work in the views only, since they have another meaning in other widgets.
    void keepInViews(QAction* action) const;
    /// Shows an error; nothing for a cancelled job.
    void showError(const Failure& failure) const;
    /// Shows the error that failureOf() returns for an exception.
    void showError(const std::exception_ptr& error, const QString& whenShort = {}) const;
    /// Shows the errors of a signal, and logs them.
    template <class Sender, class Declaring>
    void report(const Sender& sender, void (Declaring::*failed)(const QString&, const QString&)) const {
        QObject::connect(&sender, failed, &messages, &MessageBar::showError);
        QObject::connect(&sender, failed, &log, &LogPanel::appendError);
    }
};

/// Implements the user's actions in one part of a window. The context's members must outlive it.
class Controller : public QObject {
    Q_OBJECT
public:
    explicit Controller(const WindowContext& window);

signals:
    /// Emitted when the marks that this controller draws over the views have changed.
    void marksChanged();

protected:
    WindowContext m_window;
    Work& m_work;
};

} // namespace scanloupe::gui
