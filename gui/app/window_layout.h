#pragma once
// Declares the layout of the main window's docks, and the presentation of its views.
#include <QByteArray>
#include <QJsonArray>
#include <QObject>
#include <QString>
#include <Qt>
#include <optional>
#include <vector>

class QAction;
class QDockWidget;
class QMainWindow;
class QMenu;
class QWidget;

namespace scanloupe::gui {

class ViewArea;

/// Arranges docks by the window's width, shows a requested dock, and hides all but the views during a
/// presentation. The constructor's arguments must outlive it.
class WindowLayout : public QObject {
    Q_OBJECT
public:
    /// @param bars below the views, which a presentation hides
    WindowLayout(QMainWindow& window, ViewArea& views, QWidget& bars);

    /// A row of the table of docks.
    struct Dock {
        const char* name; ///< identifies it in the saved layout
        QString title;
        QWidget* content;
        Qt::DockWidgetArea area = Qt::BottomDockWidgetArea;
        bool isOpen = true; ///< in the first layout
    };
    /// Adds docks; those of an area become tabs in their order, with the first one in front.
    void addDocks(const std::vector<Dock>& docks);
    QDockWidget* dock(const char* name) const;
    /// Keeps the width of this dock while the window is narrow.
    void setDataDock(QDockWidget* dock);
    void buildPresentationAction(QMenu* view);
    /// Call it when the width of the window has changed.
    void fit();
    void showDock(const char* name);
    /// Shows the dock of a tool that works in the views, and gives the views the keyboard focus.
    void showDockOfTool(const char* name);
    /// Gives the keyboard focus to a visible view.
    void focusView();
    /// Esc cancels a measurement first, then ends the presentation.
    void setMeasuring(bool isMeasuring);
    /// Names of the docks that are shown, or will be after the presentation. A project has no
    /// QMainWindow::saveState(): restoreState() crashes on damaged bytes.
    QJsonArray shownPanels() const;
    void showPanels(const QJsonArray& names);
    /// Ends a presentation, and stores the layout from before it in the settings.
    void save();
    void restore();

signals:
    void presentationBegins();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// The window before a presentation.
    struct Before {
        QByteArray docks, geometry; ///< states in the format of QMainWindow
        QJsonArray panels;          ///< names of the docks that were shown
        Qt::WindowStates state;
        int dataWidth = 0; ///< pixels; width of the data dock while the window is not narrow
    };
    /// Shows only the views, in full screen, or restores everything.
    void setPresenting(bool presenting);
    void showKeys();

    QMainWindow& m_window;
    ViewArea& m_views;
    QWidget& m_bars;
    QDockWidget* m_dataDock = nullptr;
    int m_dataWidth = 260; ///< width of its dock, while the window is not narrow
    bool m_isNarrow = false, m_isMeasuring = false;
    std::optional<Before> m_before; ///< none: there is no presentation
    QAction* m_present = nullptr;
};

} // namespace scanloupe::gui
