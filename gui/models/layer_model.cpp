// Shows layers of edits as rows.
#include "gui/models/layer_model.h"

#include "gui/base/raw_text.h"

namespace scanloupe::gui {

void LayerModel::setLayers(const EditLayers& layers) {
    if (layers == m_layers)
        return;
    if (layers.size() != m_layers.size()) {
        beginResetModel();
        m_layers = layers;
        return endResetModel();
    }
    m_layers = layers;
    if (!m_layers.empty())
        emit dataChanged(index(0), index(rowCount() - 1));
}

int LayerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_layers.size());
}

QVariant LayerModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const EditLayer& layer = *m_layers[layerOf(index.row())];
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

Qt::ItemFlags LayerModel::flags(const QModelIndex&) const {
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemIsUserCheckable |
           Qt::ItemNeverHasChildren;
}

} // namespace scanloupe::gui
