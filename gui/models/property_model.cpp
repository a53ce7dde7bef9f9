// Presents name-value pairs as table rows.
#include "gui/models/property_model.h"

#include <algorithm>

namespace scanloupe::gui {

PropertyModel::PropertyModel(QObject* parent) : QAbstractTableModel(parent) {}

void PropertyModel::setProperties(Properties properties) {
    const auto sameName = [](const Property& a, const Property& b) { return a.name == b.name; };
    if (std::equal(properties.begin(), properties.end(), m_properties.begin(), m_properties.end(),
                   sameName)) {
        m_properties = std::move(properties);
        if (!m_properties.empty())
            emit dataChanged(index(0, 1), index(rowCount() - 1, 1));
        return;
    }
    beginResetModel();
    m_properties = std::move(properties);
    endResetModel();
}

QString PropertyModel::text() const {
    QString all;
    for (const Property& property : m_properties)
        all += property.name + QLatin1Char('\t') + property.value + QLatin1Char('\n');
    return all;
}

int PropertyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_properties.size());
}

int PropertyModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : 2;
}

QVariant PropertyModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Property& property = m_properties[std::size_t(index.row())];
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return index.column() == 0 ? property.name : property.value;
    return {};
}

QVariant PropertyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("What") : tr("Value");
}

} // namespace scanloupe::gui
