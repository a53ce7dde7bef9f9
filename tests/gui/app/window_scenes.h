#pragma once
// Declares a walk through all states, menus and dialogs of the window.
#include "engine/io/common/write/write_options.h"
#include "tests/gui/app/window_fixture.h"

namespace scanloupe::test {

/// Brings the window into a fixed sequence of states.
class WindowScenes {
public:
    /// Receives a scene's name, such as "layout-stacked", and its window.
    using Look = std::function<void(const QString& name, QWidget& window)>;
    /// Returns the window's translation of an English text.
    using Words = std::function<QString(const QString&)>;

    WindowScenes(WindowFixture& fixture, const ScratchSettings& settings, Look look, Words words);

    /// Writes the scans that are opened. @throws as writeCloud()
    static void writeScans(const ScratchSettings& settings);

    // Call the functions in this order. False: a scene could not be reached, and the rest of its group was
    // not shown.
    bool showEmpty();   ///< the start page and the tour
    bool showLayouts(); ///< a scan, in all layouts of the views
    bool showDocks();   ///< all docks, with measures, picked points and classes
    bool showMenus();
    bool showDialogs();
    bool showSeveral(); ///< sequences, and scans of one place

private:
    QAction* action(const char* english);
    bool trigger(const char* english);
    void look(const char* name, QWidget* window = nullptr);
    void raise(const char* dock);
    void set(const char* key, const char* text);
    bool clickScan(int count);
    /// Passes the modal dialog that an action opens to the callback, and closes it.
    bool lookAtModal(const char* name, const std::function<void()>& open,
                     const std::function<void(QWidget&)>& prepare = {});

    WindowFixture& m_f;
    const ScratchSettings& m_settings;
    Look m_look;
    Words m_words;
};

} // namespace scanloupe::test
