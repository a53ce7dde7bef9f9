#pragma once
// Declares a walk through all that the window shows: its states, menus and dialogs.
#include "tests/gui/app/window_fixture.h"

namespace scanloupe::test {

/// Brings the window into one state after the other, always the same ones.
class WindowScenes {
public:
    /// Gets a scene's name, such as "layout-stacked", and the window that it is in.
    using Look = std::function<void(const QString& name, QWidget& window)>;
    /// Gives the text that the window shows for an English one.
    using Words = std::function<QString(const QString&)>;

    WindowScenes(WindowFixture& fixture, const ScratchSettings& settings, Look look, Words words);

    /// Writes the scans that are opened. @throws as writeCloud()
    static void writeScans(const ScratchSettings& settings);

    // To be called in this order. False: a scene could not be reached, and the rest of its group was not
    // shown.
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
    /// Looks at the modal dialog that an action opens, and closes it.
    bool lookAtModal(const char* name, const std::function<void()>& open,
                     const std::function<void(QWidget&)>& prepare = {});

    WindowFixture& m_f;
    const ScratchSettings& m_settings;
    Look m_look;
    Words m_words;
};

} // namespace scanloupe::test
