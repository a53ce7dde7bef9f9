#pragma once
// Declares the table model of a cloud's attributes.
#include "gui/models/table_model.h"

#include <memory>

namespace scanloupe {
class PointCloud;
}

namespace scanloupe::gui {

/// The attributes of a cloud: name, type, limits.
class AttributeModel : public TableModel {
    Q_OBJECT
public:
    enum Column { name, type, lowest, highest, columns };

    explicit AttributeModel(QObject* parent = nullptr);
    /// Sets the source of the rows; null: no rows.
    void setCloud(std::shared_ptr<const PointCloud> cloud);

private:
    std::size_t rows() const override;
    QVariant cell(std::size_t row, int column, int role) const override;

    std::shared_ptr<const PointCloud> m_cloud;
};

} // namespace scanloupe::gui
