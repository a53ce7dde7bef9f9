#pragma once
// Declares the table model of the worst places of an inspection.
#include "engine/inspect/deviations.h"
#include "engine/reference/length_unit.h"

#include <QAbstractTableModel>
#include <vector>

namespace scanloupe::gui {

/// Connected parts of a scan that are out of tolerance: a row each, the worst first.
class RegionModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { largest, mean, points, place, columns };

    using QAbstractTableModel::QAbstractTableModel;

    void setRegions(const std::vector<DeviationRegion>& regions, LengthUnit unit);
    const std::vector<DeviationRegion>& regions() const { return m_regions; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<DeviationRegion> m_regions;
    LengthUnit m_unit = LengthUnit::metre;
};

/// "+1.25 mm", "-0.3 ft": a length with its sign.
QString signedLengthText(double length, LengthUnit unit);

} // namespace scanloupe::gui
