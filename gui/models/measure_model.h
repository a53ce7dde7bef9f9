#pragma once
// Declares the table model of measures.
#include "engine/inspect/measure/measure.h"
#include "gui/models/table_model.h"

#include <QColor>

namespace scanloupe::gui {

/// The measures of a scan, one in each row. The name, with a check box to show it, and the colour can be
/// edited.
class MeasureModel : public TableModel {
    Q_OBJECT
public:
    enum Column { name, kind, value, colour, snap, columns };

    explicit MeasureModel(QObject* parent = nullptr);

    /// Replaces the measures; rows that stay the same stay selected. @param up unit vector of the up axis;
    /// @param unit of the coordinates
    void setMeasures(const MeasureList& measures, Vec3d up, LengthUnit unit);
    const MeasureList& measures() const { return m_measures; }
    Vec3d up() const { return m_up; }
    LengthUnit unit() const { return m_unit; }
    void removeMeasures(std::vector<int> rows);

    bool setData(const QModelIndex& index, const QVariant& edit, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    /// Emitted when the user has changed or removed measures.
    void edited(const scanloupe::MeasureList& measures);

private:
    std::size_t rows() const override { return m_measures.size(); }
    QVariant cell(std::size_t row, int column, int role) const override;

    MeasureList m_measures;
    Vec3d m_up{0, 0, 1};
    LengthUnit m_unit = LengthUnit::metre;
};

} // namespace scanloupe::gui
