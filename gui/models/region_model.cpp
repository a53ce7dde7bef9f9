// Shows the worst regions of an inspection as rows.
#include "gui/models/region_model.h"

#include "gui/base/length_text.h"
#include "gui/text/number_text.h"

namespace scanloupe::gui {

QString signedLengthText(double length, LengthUnit unit) {
    const QString text = lengthText(length, unit);
    return length > 0 ? QLatin1Char('+') + text : text;
}

RegionModel::RegionModel(QObject* parent)
    : TableModel({tr("Largest"), tr("Mean"), tr("Points"), tr("Position")}, parent) {}

void RegionModel::setRegions(const std::vector<DeviationRegion>& regions, LengthUnit unit) {
    m_unit = unit;
    replace(regions.size() == m_regions.size(), [&] { m_regions = regions; });
}

QVariant RegionModel::cell(std::size_t row, int column, int role) const {
    const DeviationRegion& region = m_regions[row];
    if (role == Qt::ToolTipRole)
        return tr("Click or press Enter to show it in the views");
    if (role == Qt::TextAlignmentRole)
        return rightAligned();
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
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

} // namespace scanloupe::gui
