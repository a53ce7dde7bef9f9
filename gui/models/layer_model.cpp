// Shows layers of edits as rows.
#include "gui/models/layer_model.h"

#include "gui/base/raw_text.h"

namespace scanloupe::gui {

void LayerModel::setLayers(const EditLayers& layers) {
    if (layers == m_layers)
        return;
    replace(layers.size() == m_layers.size(), [&] { m_layers = layers; });
}

QVariant LayerModel::cell(std::size_t row, int /*column*/, int role) const {
    const EditLayer& layer = *m_layers[layerOf(int(row))];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
        return shownText(layer.name);
    case Qt::CheckStateRole:
        return layer.isHidden ? Qt::Unchecked : Qt::Checked;
    case Qt::ToolTipRole:
        return layer.isHidden ? tr("Not applied") : tr("Applied to the result of the layers below");
    default:
        return {};
    }
}

bool LayerModel::setData(const QModelIndex& index, const QVariant& edit, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    if (role == Qt::CheckStateRole)
        emit hidden(layerOf(index.row()), edit.toInt() == Qt::Unchecked);
    else if (role == Qt::EditRole && !edit.toString().trimmed().isEmpty())
        emit renamed(layerOf(index.row()), edit.toString().trimmed());
    else
        return false;
    return true;
}

Qt::ItemFlags LayerModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = TableModel::flags(index);
    return index.isValid() ? flags | Qt::ItemIsEditable | Qt::ItemIsUserCheckable : flags;
}

} // namespace scanloupe::gui
