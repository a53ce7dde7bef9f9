// Shows the worst places of an inspection as rows.
#include "gui/models/region_model.h"

#include "gui/base/length_text.h"
#include "gui/models/number_text.h"

namespace scanloupe::gui {

QString signedLengthText(double length, LengthUnit unit) {
    const QString text = lengthText(length, unit);
    return length > 0 ? QLatin1Char('+') + text : text;
}

void RegionModel::setRegions(const std::vector<DeviationRegion>& regions, LengthUnit unit) {
    m_unit = unit;
    if (regions.size() != m_regions.size()) {
        beginResetModel();
        m_regions = regions;
        return endResetModel();
    }
    m_regions = regions;
    if (!m_regions.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
}

int RegionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_regions.size());
}

int RegionModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant RegionModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const DeviationRegion& region = m_regions[std::size_t(index.row())];
    if (role == Qt::ToolTipRole)
        return tr("Click, or press Enter, to look at it");
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case largest:
        return signedLengthText(region.largest, m_unit);
    case mean:
        return signedLengthText(region.mean, m_unit);
    case points:
        return countText(region.points);
    default:
        return QStringLiteral("%1  %2  %3")
            .arg(numberText(region.at.x), numberText(region.at.y), numberText(region.at.z));
    }
}

QVariant RegionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columns)
        return {};
    const QString heads[] = {tr("Largest"), tr("Mean"), tr("Points"), tr("Place")};
    return heads[section];
}

} // namespace scanloupe::gui
