#pragma once
// Declares the table model of the last runs.
#include "engine/results/timings.h"

#include <QAbstractTableModel>
#include <QTime>
#include <deque>

namespace scanloupe::gui {

/// One finished run.
struct RunRecord {
    std::uint64_t number = 0; ///< 1 for the first of the session
    QTime time;               ///< when it was added
    bool preview = false;
    RunTimings timings;
};

/// The last kRuns runs, newest first.
class RunHistoryModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int kRuns = 200;
    enum Column {
        run,
        time,
        total,
        read,
        upload,
        voxelize,
        field,
        extract,
        clean,
        rasterize,
        resolve,
        quality,
        voxels,
        triangles,
        columns
    };

    explicit RunHistoryModel(QObject* parent = nullptr);
    void add(const RunTimings& timings, bool preview);
    /// Replaces the timings of the newest run.
    void amend(const RunTimings& timings);
    void clear();
    /// Newest first.
    const std::deque<RunRecord>& records() const { return m_records; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::deque<RunRecord> m_records;
    std::uint64_t m_count = 0;
};

} // namespace scanloupe::gui
