#pragma once
// Declares the table model of the scans to be aligned.
#include "engine/align/align_scans.h"
#include "engine/cloud/reference/length_unit.h"
#include "gui/models/table_model.h"

#include <vector>

namespace scanloupe::gui {

/// The scans to be aligned, with a check box in the first column, and the poses that were found.
class AlignModel : public TableModel {
    Q_OBJECT
public:
    enum Column { scan, remark, x, y, z, roll, pitch, yaw, steps, score, overlap, columns };

    explicit AlignModel(QObject* parent = nullptr);

    /// Replaces the scans and checks all of them.
    void setScans(const QStringList& names);
    /// Rows that are checked.
    std::vector<int> checkedRows() const;
    void clearResults();
    void setResult(int row, const AlignedScanPtr& result);
    /// The result of a scan whose pose and verdict were read from a file.
    void setRead(int row, const RigidTransform& pose, const PoseVerdict& verdict);
    const AlignedScanPtr& result(int row) const { return m_rows[std::size_t(row)].result; }

    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// The unit of the scans' coordinates.
    void setUnit(LengthUnit unit);

signals:
    void checkedChanged();

private:
    std::size_t rows() const override { return m_rows.size(); }
    QVariant cell(std::size_t number, int column, int role) const override;

    struct Row {
        QString name;
        bool checked = true;
        AlignedScanPtr result = {}; ///< null before the alignment
    };
    std::vector<Row> m_rows;
    LengthUnit m_unit = LengthUnit::metre;
};

} // namespace scanloupe::gui
