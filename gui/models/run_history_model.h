#pragma once
// Declares the table model of the last runs.
#include "engine/graph/timings.h"
#include "gui/models/table_model.h"

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
class RunHistoryModel : public TableModel {
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

private:
    std::size_t rows() const override { return m_records.size(); }
    QVariant cell(std::size_t row, int column, int role) const override;

    std::deque<RunRecord> m_records;
    std::uint64_t m_count = 0;
};

} // namespace scanloupe::gui
