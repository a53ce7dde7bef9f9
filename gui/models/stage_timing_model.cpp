// Formats the stages of a run as table rows.
#include "gui/models/stage_timing_model.h"

#include "gui/models/number_text.h"

#include <QCoreApplication>
#include <algorithm>

namespace scanloupe::gui {

QString stageText(const std::string& stage) {
    if (stage == "read")
        return StageTimingModel::tr("Read");
    if (stage == "upload")
        return StageTimingModel::tr("Upload");
    if (stage == "edit")
        return StageTimingModel::tr("Edits");
    if (stage == "selection")
        return StageTimingModel::tr("Selection");
    if (stage == "voxelize")
        return StageTimingModel::tr("Voxelize");
    if (stage == "field")
        return StageTimingModel::tr("Field");
    if (stage == "sculpt")
        return StageTimingModel::tr("Sculpt");
    if (stage == "shown_voxels")
        return StageTimingModel::tr("Voxels");
    if (stage == "extract")
        return StageTimingModel::tr("Extract");
    if (stage == "section")
        return StageTimingModel::tr("Section");
    if (stage == "clean")
        return StageTimingModel::tr("Clean up");
    if (stage == "distances")
        return StageTimingModel::tr("Distances");
    if (stage == "download")
        return StageTimingModel::tr("Download");
    if (stage == "rasterize")
        return StageTimingModel::tr("Rasterize");
    if (stage == "resolve")
        return StageTimingModel::tr("Shade");
    if (stage == "refine")
        return StageTimingModel::tr("Refine");
    if (stage == "quality")
        return StageTimingModel::tr("Quality");
    return QString::fromStdString(stage);
}

QString countName(const std::string& name) {
    return QCoreApplication::translate("timings", name.c_str()).replace(QLatin1Char('_'), QLatin1Char(' '));
}

StageTimingModel::StageTimingModel(QObject* parent) : QAbstractTableModel(parent) {}

void StageTimingModel::setTimings(RunTimings timings) {
    const auto sameStage = [](const StageTiming& a, const StageTiming& b) { return a.stage == b.stage; };
    const bool same = std::equal(timings.stages.begin(), timings.stages.end(), m_timings.stages.begin(),
                                 m_timings.stages.end(), sameStage);
    if (!same)
        beginResetModel();
    m_timings = std::move(timings);
    if (!same)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

int StageTimingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_timings.stages.size());
}

int StageTimingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant StageTimingModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const StageTiming& timing = m_timings.stages[std::size_t(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() >= wall)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
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

QVariant StageTimingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case stage:
        return tr("Stage");
    case backend:
        return tr("Backend");
    case wall:
        return tr("Wall time");
    case device:
        return tr("Device time");
    default:
        return tr("Memory");
    }
}

} // namespace scanloupe::gui
