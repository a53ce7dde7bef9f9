// Formats the last runs as table rows.
#include "gui/models/run_history_model.h"

#include "gui/models/number_text.h"
#include "gui/models/stage_timing_model.h"

#include <array>

namespace scanloupe::gui {

namespace {

/// Stages of the columns from `read` to `quality`.
constexpr std::array<const char*, 9> kStages{"read",  "upload",    "voxelize", "field",  "extract",
                                             "clean", "rasterize", "resolve",  "quality"};

} // namespace

RunHistoryModel::RunHistoryModel(QObject* parent) : QAbstractTableModel(parent) {}

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
    beginResetModel();
    m_records.clear();
    m_count = 0;
    endResetModel();
}

int RunHistoryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_records.size());
}

int RunHistoryModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant RunHistoryModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunRecord& record = m_records[std::size_t(index.row())];
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && record.preview)
        return tr("Of some of the points: a preview while something moved, or a first look");
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
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
        const StageTiming* stage = record.timings.find(kStages[std::size_t(index.column() - read)]);
        return stage && !stage->reused ? timeText(stage->wallMs) : QString();
    }
    }
}

QVariant RunHistoryModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case run:
        return tr("Run");
    case time:
        return tr("At");
    case total:
        return tr("Total");
    case voxels:
        return tr("Voxels");
    case triangles:
        return tr("Triangles");
    default:
        return section < columns ? stageText(kStages[std::size_t(section - read)]) : QString();
    }
}

} // namespace scanloupe::gui
