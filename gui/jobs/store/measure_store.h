#pragma once
// Declares the store of measures of scans outside a project.
#include "engine/inspect/measure/measure.h"
#include "gui/jobs/job_pool.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <atomic>
#include <functional>

namespace scanloupe::gui {

/// Stores the last measures of each scan in the program's data, to restore them when the file is opened
/// again. Paths are as rawText() represents them. GUI thread; files are written on a worker.
class MeasureStore : public QObject {
    Q_OBJECT
public:
    explicit MeasureStore(QObject* parent = nullptr);

    /// The stored measures of a scan; empty without any. Waits until pending ones, a few kilobytes, are
    /// written.
    /// @throws EngineError if they can't be read
    MeasureList of(const QString& scan);
    /// When the measures of the last of() or keep() were stored; invalid without any.
    const QDateTime& when() const { return m_when; }
    /// Starts to replace the measures that of() or keep() last read or wrote.
    /// @param ended is called on the GUI thread, unless a newer keep() follows. False: the measures can't be
    /// written, or another window has changed the file, so that only this window has them
    void keep(const QString& scan, const MeasureList& measures, std::function<void(bool isKept)> ended);
    /// Whether measures are being written, or the outcome has not been reported yet.
    bool isKeeping() const { return m_running > 0; }
    /// Waits briefly for pending writes, and reports the outcome.
    void settle();

private:
    QString fileOf(const QString& scan) const;
    /// Called on the worker. @returns whether they were written
    bool write(const QString& file, const QString& scan, const MeasureList& measures);

    QString m_folder;
    QDateTime m_when;
    QByteArray m_known;           ///< the file's last known content; empty: no file. Also used by jobs
    int m_running = 0;            ///< number of jobs whose outcome is not reported yet
    std::atomic<int> m_newest{0}; ///< number of the last started job; earlier ones write nothing
    JobPool m_pool;               ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
