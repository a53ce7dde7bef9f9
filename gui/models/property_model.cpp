// Presents name-value pairs as table rows.
#include "gui/models/property_model.h"

#include <algorithm>

namespace scanloupe::gui {

PropertyModel::PropertyModel(QObject* parent) : TableModel({tr("Property"), tr("Value")}, parent) {}

void PropertyModel::setProperties(Properties properties) {
    const auto sameName = [](const Property& a, const Property& b) { return a.name == b.name; };
    const bool same =
        std::equal(properties.begin(), properties.end(), m_properties.begin(), m_properties.end(), sameName);
    replace(same, [&] { m_properties = std::move(properties); });
}

QString PropertyModel::text() const {
    QString all;
    for (const Property& property : m_properties)
        all += property.name + QLatin1Char('\t') + property.value + QLatin1Char('\n');
    return all;
}

QVariant PropertyModel::cell(std::size_t row, int column, int role) const {
    const Property& property = m_properties[row];
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return column == 0 ? property.name : property.value;
    return {};
}

} // namespace scanloupe::gui
