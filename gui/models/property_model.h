#pragma once
// Declares the table model of name-value pairs.
#include "gui/models/table_model.h"

#include <QString>
#include <vector>

namespace scanloupe::gui {

/// A name and its value.
struct Property {
    QString name, value;
    bool operator==(const Property&) const = default;
};
using Properties = std::vector<Property>;

/// Name-value pairs as rows: properties of a scan or a picked point, or the counts of a run.
class PropertyModel : public TableModel {
    Q_OBJECT
public:
    explicit PropertyModel(QObject* parent = nullptr);

    /// Replaces the values; rows keep their place and selection when all names are unchanged.
    void setProperties(Properties properties);
    const Properties& properties() const { return m_properties; }
    /// All rows as "name<tab>value" lines, for the clipboard.
    QString text() const;

private:
    std::size_t rows() const override { return m_properties.size(); }
    QVariant cell(std::size_t row, int column, int role) const override;

    Properties m_properties;
};

} // namespace scanloupe::gui
