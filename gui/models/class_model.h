#pragma once
// Declares the table model of the classes that colours show.
#include "engine/picture/histograms/scan_histograms.h"
#include "gui/models/table_model.h"

#include <memory>

namespace scanloupe::gui {

/// The classes of a scan with their colours and their shares of the points.
class ClassModel : public TableModel {
    Q_OBJECT
public:
    enum Column { name, share, columns };

    explicit ClassModel(QObject* parent = nullptr);
    /// Sets the source of the rows; null: no rows.
    void setClasses(std::shared_ptr<const ClassCounts> classes);

private:
    std::size_t rows() const override { return m_classes ? m_classes->rows.size() : 0; }
    QVariant cell(std::size_t row, int column, int role) const override;

    std::shared_ptr<const ClassCounts> m_classes;
};

} // namespace scanloupe::gui
