#pragma once
// Declares the measures that are kept of scans that are no part of a project.
#include "engine/measure/measure.h"

#include <QByteArray>
#include <QString>

namespace scanloupe::gui {

/// Keeps the last measures of each scan in the program's data, so that they are there when the file is opened
/// again. Paths are as rawText() represents them. GUI thread: files of a few kilobytes.
class MeasureStore {
public:
    MeasureStore();

    /// Those of the last time; empty without any. @throws EngineError where they can't be read
    MeasureList of(const QString& scan);
    /// Replaces those that of() or keep() has seen last. False where they can't be written, where another
    /// window has changed them, and without a scan: the window has them alone.
    bool keep(const QString& scan, const MeasureList& measures);

private:
    QString fileOf(const QString& scan) const;

    QString m_folder;
    QByteArray m_known; ///< the file as it was seen last; empty: there was none
};

} // namespace scanloupe::gui
