#pragma once
// Declares the table model of the stages of a run, and the display names of stages and counts.
#include "engine/results/timings.h"

#include <QAbstractTableModel>

namespace scanloupe::gui {

/// Display name of a stage; unknown ones are returned as they are.
QString stageText(const std::string& stage);
/// Display name of a count: "points_in_range" is "points in range".
QString countName(const std::string& name);

/// The stages of one run.
class StageTimingModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { stage, backend, wall, device, memory, columns };

    explicit StageTimingModel(QObject* parent = nullptr);
    void setTimings(RunTimings timings);
    const RunTimings& timings() const { return m_timings; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    RunTimings m_timings;
};

} // namespace scanloupe::gui
