#pragma once
// Declares the table model of the stages of a run, and the display names of stages and counts.
#include "engine/graph/timings.h"
#include "gui/models/table_model.h"

namespace scanloupe::gui {

/// Display name of a stage; unknown ones are returned as they are.
QString stageText(const std::string& stage);
/// Display name of a count: "points_in_range" is "points in range".
QString countName(const std::string& name);

/// The stages of one run.
class StageTimingModel : public TableModel {
    Q_OBJECT
public:
    enum Column { stage, backend, wall, device, memory, columns };

    explicit StageTimingModel(QObject* parent = nullptr);
    void setTimings(RunTimings timings);
    const RunTimings& timings() const { return m_timings; }

private:
    std::size_t rows() const override { return m_timings.stages.size(); }
    QVariant cell(std::size_t row, int column, int role) const override;

    RunTimings m_timings;
};

} // namespace scanloupe::gui
