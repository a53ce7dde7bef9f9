#pragma once
// Declares what a presentation of the main window hides, to bring it back afterwards.
#include <QByteArray>
#include <QJsonArray>
#include <Qt>

namespace scanloupe::gui {

/// The main window before a presentation.
struct BeforePresentation {
    QByteArray docks, geometry; ///< as QMainWindow saves them
    QJsonArray panels;          ///< names of the docks that were shown
    Qt::WindowStates state;
    int dataWidth = 0; ///< pixels, of the data dock while the window is not narrow
};

} // namespace scanloupe::gui
