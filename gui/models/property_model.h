#pragma once
// Declares the table model of name-value pairs.
#include <QAbstractTableModel>
#include <QString>
#include <vector>

namespace scanloupe::gui {

/// A name and its value.
struct Property {
    QString name, value;
    bool operator==(const Property&) const = default;
};
using Properties = std::vector<Property>;

/// Name-value pairs as rows: of a scan, a picked point, or the counts of a run.
class PropertyModel : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit PropertyModel(QObject* parent = nullptr);

    /// Replaces the values; rows keep their place and selection when all names are unchanged.
    void setProperties(Properties properties);
    const Properties& properties() const { return m_properties; }
    /// All rows as "name<tab>value" lines, for the clipboard.
    QString text() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Properties m_properties;
};

} // namespace scanloupe::gui
