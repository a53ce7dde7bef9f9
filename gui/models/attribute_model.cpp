// Formats the attributes of a cloud as table rows.
#include "gui/models/attribute_model.h"

#include "engine/cloud/point_cloud.h"
#include "gui/base/raw_text.h"
#include "gui/text/number_text.h"

#include <utility>

namespace scanloupe::gui {

AttributeModel::AttributeModel(QObject* parent)
    : TableModel({tr("Attribute"), tr("Type"), tr("Lowest"), tr("Highest")}, parent) {}

void AttributeModel::setCloud(std::shared_ptr<const PointCloud> cloud) {
    // updates the rows, since more attributes may have been loaded
    replace(cloud == m_cloud, [&] { m_cloud = std::move(cloud); });
}

std::size_t AttributeModel::rows() const {
    return m_cloud ? m_cloud->attributes().size() : 0;
}

QVariant AttributeModel::cell(std::size_t row, int column, int role) const {
    const Attribute& attribute = m_cloud->attributes()[row];
    if (role == Qt::TextAlignmentRole && column >= lowest)
        return rightAligned();
    if (role == Qt::ToolTipRole && !attribute.isLoaded() && column >= lowest)
        return tr("Loaded from the file when first used");
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
    switch (column) {
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

} // namespace scanloupe::gui
