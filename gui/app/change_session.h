#pragma once
// Declares the comparison of the scan with a later one in the window.
#include "engine/inspect/scan_change.h"

#include <QObject>

class QWidget;

namespace scanloupe::gui {

class EditHost;
class ExportRunner;
class MessageBar;

/// Finds what has changed from the scan to another one, and writes it as a cloud. What it is given outlives
/// it.
class ChangeSession : public QObject {
    Q_OBJECT
public:
    ChangeSession(EditHost& host, MessageBar& messages, ExportRunner& exporter, QWidget* window);

    /// Asks for the later scan, and for the file of the result.
    void choose();
    /// Compares with the scan in a file, and writes the places with their change.
    void compareWith(const QString& later, const QString& target);

signals:
    /// A result was written, and can be opened.
    void written(const QString& path);

private:
    void tell(const ScanChange& change, const QString& path);

    EditHost& m_host;
    MessageBar& m_messages;
    ExportRunner& m_exporter;
    QWidget* m_window;
};

} // namespace scanloupe::gui
