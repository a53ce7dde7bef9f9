#pragma once
// Declares the measures that are kept of scans that are no part of a project.
#include "engine/measure/measure.h"
#include "gui/jobs/job_pool.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <atomic>
#include <functional>

namespace scanloupe::gui {

/// Keeps the last measures of each scan in the program's data, so that they are there when the file is opened
/// again. Paths are as rawText() represents them. GUI thread; they are written on a worker.
class MeasureStore : public QObject {
    Q_OBJECT
public:
    explicit MeasureStore(QObject* parent = nullptr);

    /// Those of the last time; empty without any. Waits until others are written: a few kilobytes.
    /// @throws EngineError where they can't be read
    MeasureList of(const QString& scan);
    /// When those of the last of() or keep() were kept; invalid without any.
    const QDateTime& when() const { return m_when; }
    /// Starts to replace those that of() or keep() has seen last.
    /// @param ended is called on the GUI thread, unless others follow meanwhile. False: they can't be
    /// written, or another window has changed them: this one has them alone
    void keep(const QString& scan, const MeasureList& measures, std::function<void(bool isKept)> ended);
    /// Whether some are being written, or nobody was told so far how that ended.
    bool isKeeping() const { return m_running > 0; }
    /// Waits for a moment until they are written, and tells how that ended.
    void settle();

private:
    QString fileOf(const QString& scan) const;
    /// On the worker. @returns whether they are kept
    bool write(const QString& file, const QString& scan, const MeasureList& measures);

    QString m_folder;
    QDateTime m_when;
    QByteArray m_known;           ///< the file as it was seen last; empty: there was none. Jobs use it, too
    int m_running = 0;            ///< of the jobs whose end was not told
    std::atomic<int> m_newest{0}; ///< number of the job that was started last: those before write nothing
    JobPool m_pool;               ///< declared last, so destroyed first
};

} // namespace scanloupe::gui
