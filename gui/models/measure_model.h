#pragma once
// Declares the table model of measures.
#include "engine/measure/measure.h"

#include <QAbstractTableModel>
#include <QColor>

namespace scanloupe::gui {

/// The measures of a scan: a row each. The name, with a check box for whether it is shown, and the colour can
/// be edited.
class MeasureModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, kind, value, colour, snap, columns };

    using QAbstractTableModel::QAbstractTableModel;

    /// Replaces the measures; rows that stay the same stay selected. @param up unit vector of the up axis;
    /// @param unit of the coordinates
    void setMeasures(const MeasureList& measures, Vec3d up, LengthUnit unit);
    const MeasureList& measures() const { return m_measures; }
    Vec3d up() const { return m_up; }
    LengthUnit unit() const { return m_unit; }
    void removeMeasures(std::vector<int> rows);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& edit, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    /// People have changed or removed measures.
    void edited(const scanloupe::MeasureList& measures);

private:
    MeasureList m_measures;
    Vec3d m_up{0, 0, 1};
    LengthUnit m_unit = LengthUnit::metre;
};

} // namespace scanloupe::gui
