#pragma once
#include "gui/panels/parameter_row.h"
#include "gui/views/scan_view.h"

#include <vector>

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace scanloupe::gui {

class Section;

/// All parameters in the order of the data flow, generated from their declaration. Every move is told at
/// once.
class ParameterPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParameterPanel(QWidget* parent = nullptr);

    const Recipe& recipe() const { return m_recipe; }
    /// Shows a recipe without telling anyone.
    void setRecipe(const Recipe& recipe);
    /// Shows what was chosen from the data, and lets the sliders span it. Null: no scan is open.
    void setSnapshot(const SnapshotPtr& snapshot);
    const ViewStyle& style() const { return m_style; }
    /// Shows a style without telling anyone.
    void setStyle(const ViewStyle& style);
    /// The row of a parameter; null for those that the window sets itself (the picture's size and view).
    ParameterRow* row(const std::string& key) const;
    QCheckBox* wireframeBox() const { return m_wireframe; }

public slots:
    /// All parameters back to what the data and the defaults say.
    void resetAll();

signals:
    void recipeChanged(const scanloupe::Recipe& recipe);
    void styleChanged(const scanloupe::gui::ViewStyle& style);

protected:
    void changeEvent(QEvent* event) override;

private:
    Section* addSection(const QString& title);
    ParameterRow* makeRow(const char* key);
    void addRows(Section* section, std::initializer_list<const char*> keys);
    void changeRecipe(Recipe recipe);
    void showAll();
    void showScales();
    bool coloursByClass() const; ///< Classes have colours of their own, and no map.
    QString isoUnit() const;

    Recipe m_recipe;
    SnapshotPtr m_snapshot;
    ViewStyle m_style;
    std::vector<ParameterRow*> m_rows;
    std::vector<Section*> m_cloudSections; ///< that a volume has no use for
    QWidget* m_content;
    QLabel* m_hint; ///< in its place while no scan is open
    QVBoxLayout* m_column;
    QCheckBox* m_wireframe;
};

} // namespace scanloupe::gui
