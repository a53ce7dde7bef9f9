#pragma once
// Declares the panel of selections and layers of edits.
#include "engine/cloud/reference/length_unit.h"

#include <QWidget>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QAction;
class QCheckBox;
class QLabel;
class QListView;
class QMenu;

namespace scanloupe {
struct EditLayer;
struct Edits;
} // namespace scanloupe

namespace scanloupe::gui {

class LayerModel;
class NumberBox;

/// The tools that select points and those that change the surface, the selection with its commands, and the
/// layers of edits.
class EditPanel : public QWidget {
    Q_OBJECT
public:
    explicit EditPanel(QWidget* parent = nullptr);

    /// Adds buttons for actions of the menu. @param tools, @param selecting change the selection, @param
    /// doing change the selected points @param kept the menu of kept selections
    void setSelecting(const QList<QAction*>& tools, const QList<QAction*>& selecting,
                      const QList<QAction*>& doing, QMenu* kept);
    /// Adds buttons of the brushes that change the surface.
    void setSculpting(const QList<QAction*>& tools);
    /// Strength and falloff of those brushes, 0 to 1: see SculptAction.
    double strength() const;
    double falloff() const;
    void setEdits(const Edits& edits);
    /// Shows the numbers of selected and of all points; nullopt: no selection.
    void setChosen(std::optional<std::uint64_t> count, std::uint64_t points);
    /// Shows the effect of a click into a view; empty: no tool is active.
    void setHint(const QString& hint);
    void setRadius(double radius);
    void setUnit(LengthUnit unit);
    bool isVisibleOnly() const;
    /// Adds an action to the menu of layers; it is enabled while a layer of its kind is selected.
    void addLayerAction(QAction* action, std::function<bool(const EditLayer&)> isFor);
    std::optional<std::size_t> currentLayer() const;
    LayerModel* model() const { return m_layers; }
    QListView* list() const { return m_list; }
    QString chosenText() const;

public slots:
    void removeLayer();
    void raiseLayer();
    void lowerLayer();

signals:
    void radiusEdited(double radius);
    void visibleOnlyChanged(bool visibleOnly);
    /// Emitted when the user has changed the layers.
    void layerHidden(std::size_t layer, bool isHidden);
    void layerRenamed(std::size_t layer, const QString& name);
    void layerRemoved(std::size_t layer);
    void layerMoved(std::size_t layer, std::size_t place);

private:
    void enableActions();

    QWidget *m_tools, *m_sculpting, *m_selecting, *m_doing;
    QCheckBox* m_visibleOnly;
    NumberBox *m_radius, *m_strength, *m_falloff;
    QLabel *m_hint, *m_chosen;
    LayerModel* m_layers;
    QListView* m_list;
    QAction *m_remove, *m_raise, *m_lower;
    /// Further actions for layers of a kind
    std::vector<std::pair<QAction*, std::function<bool(const EditLayer&)>>> m_ofLayer;
};

} // namespace scanloupe::gui
