#pragma once
// Declares the end of the program by a signal.
#include <QObject>

namespace scanloupe::gui {

/// Reports SIGTERM, SIGINT and SIGHUP, with which systems and terminals end programs, to the GUI thread. A
/// second signal ends the program immediately, in case that thread does not respond. Create one object at
/// most.
class EndSignals : public QObject {
    Q_OBJECT
public:
    explicit EndSignals(QObject* parent = nullptr);
    ~EndSignals() override;

signals:
    void received(int signal);
};

} // namespace scanloupe::gui
