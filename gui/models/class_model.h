#pragma once
// Declares the table model of the classes that colours show.
#include "engine/histograms/scan_histograms.h"

#include <QAbstractTableModel>
#include <memory>

namespace scanloupe::gui {

/// The classes of a scan with their colours and the shares of points that have them.
class ClassModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, share, columns };

    explicit ClassModel(QObject* parent = nullptr);
    /// Null: no rows.
    void setClasses(std::shared_ptr<const ClassCounts> classes);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const ClassCounts> m_classes;
};

} // namespace scanloupe::gui
