#pragma once
// Declares the list of the layers of edits.
#include "engine/edit/edits.h"
#include "gui/models/table_model.h"

namespace scanloupe::gui {

/// Layers, the uppermost first, with a check box to apply them. Their names can be edited.
class LayerModel : public TableModel {
    Q_OBJECT
public:
    explicit LayerModel(QObject* parent = nullptr) : TableModel(QStringList(1), parent) {}

    void setLayers(const EditLayers& layers);
    /// The index of a row in Edits::layers.
    std::size_t layerOf(int row) const { return m_layers.size() - 1 - std::size_t(row); }
    const EditLayer& layer(std::size_t place) const { return *m_layers[place]; }

    bool setData(const QModelIndex& index, const QVariant& edit, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    /// Emitted when the user hides or shows a layer.
    void hidden(std::size_t layer, bool isHidden);
    void renamed(std::size_t layer, const QString& name);

private:
    std::size_t rows() const override { return m_layers.size(); }
    QVariant cell(std::size_t row, int column, int role) const override;

    EditLayers m_layers;
};

} // namespace scanloupe::gui
