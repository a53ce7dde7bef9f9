#pragma once
// Declares the table model of a cloud's attributes.
#include "engine/cloud/point_cloud.h"

#include <QAbstractTableModel>
#include <memory>

namespace scanloupe::gui {

/// The attributes of a cloud: name, type, limits.
class AttributeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, type, lowest, highest, columns };

    explicit AttributeModel(QObject* parent = nullptr);
    /// Null: no rows.
    void setCloud(std::shared_ptr<const PointCloud> cloud);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const PointCloud> m_cloud;
};

} // namespace scanloupe::gui
