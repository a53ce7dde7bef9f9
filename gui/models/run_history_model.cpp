// Formats the last runs as table rows.
#include "gui/models/run_history_model.h"

#include "gui/models/stage_timing_model.h"
#include "gui/text/number_text.h"

#include <array>

namespace scanloupe::gui {

namespace {

/// Stages of the columns from `read` to `quality`.
constexpr std::array<const char*, 9> kStages{"read",  "upload",    "voxelize", "field",  "extract",
                                             "clean", "rasterize", "resolve",  "quality"};

QStringList historyHeads() {
    QStringList heads{RunHistoryModel::tr("Run"), RunHistoryModel::tr("Started"),
                      RunHistoryModel::tr("Total")};
    for (const char* stage : kStages)
        heads << stageText(stage);
    return heads << RunHistoryModel::tr("Voxels") << RunHistoryModel::tr("Triangles");
}

} // namespace

RunHistoryModel::RunHistoryModel(QObject* parent) : TableModel(historyHeads(), parent) {}

void RunHistoryModel::add(const RunTimings& timings, bool preview) {
    if (rowCount() == kRuns) {
        beginRemoveRows({}, kRuns - 1, kRuns - 1);
        m_records.pop_back();
        endRemoveRows();
    }
    beginInsertRows({}, 0, 0);
    m_records.push_front({++m_count, QTime::currentTime(), preview, timings});
    endInsertRows();
}

void RunHistoryModel::amend(const RunTimings& timings) {
    if (m_records.empty())
        return;
    m_records.front().timings = timings;
    emit dataChanged(index(0, 0), index(0, columns - 1));
}

void RunHistoryModel::clear() {
    replace(false, [this] {
        m_records.clear();
        m_count = 0;
    });
}

QVariant RunHistoryModel::cell(std::size_t row, int column, int role) const {
    const RunRecord& record = m_records[row];
    if (role == Qt::TextAlignmentRole)
        return rightAligned();
    if (role == Qt::ToolTipRole && record.preview)
        return tr(
            "Computed from some of the points: a preview during a drag, or a scan that was still loading");
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case run:
        return record.preview ? tr("%1 (preview)").arg(record.number) : QString::number(record.number);
    case time:
        return record.time.toString(QStringLiteral("HH:mm:ss"));
    case total:
        return timeText(record.timings.totalMs);
    case voxels:
        return countText(record.timings.count("voxels"));
    case triangles:
        return countText(record.timings.count("triangles"));
    default: {
        const StageTiming* stage = record.timings.find(kStages[std::size_t(column - read)]);
        return stage && !stage->reused ? timeText(stage->wallMs) : QString();
    }
    }
}

} // namespace scanloupe::gui
