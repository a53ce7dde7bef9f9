// Formats the stages of a run as table rows.
#include "gui/models/stage_timing_model.h"

#include "engine/graph/stage_costs.h"
#include "engine/graph/stage_table.h"
#include "gui/text/number_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace scanloupe::gui {

QString stageText(const std::string& stage) {
    const TimingRow* row = timingRow(stage);
    return row ? QCoreApplication::translate("timings", row->label) : QString::fromStdString(stage);
}

QString countName(const std::string& name) {
    return QCoreApplication::translate("timings", name.c_str()).replace(QLatin1Char('_'), QLatin1Char(' '));
}

StageTimingModel::StageTimingModel(QObject* parent)
    : TableModel({tr("Stage"), tr("Backend"), tr("Wall time"), tr("Device time"), tr("Memory")}, parent) {}

void StageTimingModel::setTimings(RunTimings timings) {
    const auto sameStage = [](const StageTiming& a, const StageTiming& b) { return a.stage == b.stage; };
    const bool same = std::equal(timings.stages.begin(), timings.stages.end(), m_timings.stages.begin(),
                                 m_timings.stages.end(), sameStage);
    replace(same, [&] { m_timings = std::move(timings); });
}

QVariant StageTimingModel::cell(std::size_t row, int column, int role) const {
    const StageTiming& timing = m_timings.stages[row];
    if (role == Qt::TextAlignmentRole && column >= wall)
        return rightAligned();
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case stage:
        return stageText(timing.stage);
    case backend:
        return QString::fromStdString(timing.backend).toUpper();
    case wall:
        return timing.reused ? tr("reused") : timeText(timing.wallMs);
    case device:
        return timing.deviceMs > 0 ? timeText(timing.deviceMs) : QString();
    default:
        return bytesText(timing.bytes);
    }
}

} // namespace scanloupe::gui
