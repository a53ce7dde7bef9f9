#pragma once
// Declares help in the main window: the manual, the tour, the command palette and the keys.
#include <QObject>
#include <QPointer>

class QMainWindow;
class QMenu;
class QWidget;

namespace scanloupe::gui {

class ManualWindow;
class TourBar;
class Work;

/// Shows the help of a window: tour, commands and keys. The constructor's arguments must outlive it.
class HelpController : public QObject {
    Q_OBJECT
public:
    HelpController(QMainWindow& window, const QWidget& views, const Work& work);

    void buildMenu(QMenu* menu);
    /// Starts the tour, unless it was ever offered.
    void offerTour();
    void endTour();

private:
    void startTour(), showManual(), showPalette(), showKeys();

    QMainWindow& m_window;
    const QWidget& m_views;
    QPointer<ManualWindow> m_manual; ///< while it is open
    QPointer<TourBar> m_tour;        ///< while it runs
};

} // namespace scanloupe::gui
