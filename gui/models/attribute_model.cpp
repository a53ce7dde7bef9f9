// Formats the attributes of a cloud as table rows.
#include "gui/models/attribute_model.h"

#include "gui/base/raw_text.h"
#include "gui/models/number_text.h"

namespace scanloupe::gui {

AttributeModel::AttributeModel(QObject* parent) : QAbstractTableModel(parent) {}

void AttributeModel::setCloud(std::shared_ptr<const PointCloud> cloud) {
    if (cloud == m_cloud) {
        if (rowCount() > 0) // more of its attributes may have been loaded
            emit dataChanged(index(0, lowest), index(rowCount() - 1, columns - 1));
        return;
    }
    beginResetModel();
    m_cloud = std::move(cloud);
    endResetModel();
}

int AttributeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_cloud ? 0 : int(m_cloud->attributes().size());
}

int AttributeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QVariant AttributeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Attribute& attribute = m_cloud->attributes()[std::size_t(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() >= lowest)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && !attribute.isLoaded() && index.column() >= lowest)
        return tr("Read from the file when something looks at it");
    if (role == Qt::ToolTipRole && attribute.isLoaded() && attribute.notFinite() > 0)
        return tr("%1 values are not finite").arg(countText(attribute.notFinite()));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    // tool tips show all digits, the narrow column as many as distinguish attributes
    const auto valueText = [&](double value) {
        return role == Qt::DisplayRole && attribute.type == ScalarType::float32
                   ? QString::number(value, 'g', 5)
                   : attributeText(attribute, value);
    };
    switch (index.column()) {
    case name:
        return shownText(attribute.name);
    case type:
        return QString::fromLatin1(nameOf(attribute.type));
    case lowest:
        return attribute.isLoaded() ? valueText(attribute.min()) : QStringLiteral("…");
    default:
        return attribute.isLoaded() ? valueText(attribute.max()) : QStringLiteral("…");
    }
}

QVariant AttributeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case name:
        return tr("Attribute");
    case type:
        return tr("Type");
    case lowest:
        return tr("Lowest");
    default:
        return tr("Highest");
    }
}

} // namespace scanloupe::gui
