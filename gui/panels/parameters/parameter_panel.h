#pragma once
// Declares the panel of all parameters.
#include "engine/picture/histograms/scan_histograms.h"
#include "gui/panels/parameters/parameter_row.h"
#include "gui/views/scan_view.h"

#include <functional>
#include <optional>
#include <vector>

class QCheckBox;
class QLabel;
class QVBoxLayout;

namespace scanloupe {
struct Parameter;
}

namespace scanloupe::gui {

class ColourLimitsRow;
class ForecastLine;
class PanelSection;

/// Shows all parameters in the order of the data flow, generated from their declarations. Every change is
/// emitted immediately.
class ParameterPanel : public QWidget {
    Q_OBJECT
public:
    explicit ParameterPanel(QWidget* parent = nullptr);

    const Recipe& recipe() const { return m_recipe; }
    /// Shows a recipe without emitting signals.
    void setRecipe(const Recipe& recipe);
    /// Shows the values chosen from the data, and adapts the sliders' ranges to it. Null: no scan is open.
    void setSnapshot(const SnapshotPtr& snapshot);
    /// Shows the histograms of results behind sliders; those of the last frame stay until new ones arrive.
    void setHistograms(const ScanHistograms& histograms);
    const ViewStyle& style() const { return m_style; }
    /// Shows a style without emitting signals.
    void setStyle(const ViewStyle& style);
    /// Shows the unit of the scan's coordinates after lengths, and emits the style with it.
    void setUnit(LengthUnit unit);
    /// The row of a parameter; null for those that the window sets itself (the picture's size and view).
    ParameterRow* row(const std::string& key) const;
    ForecastLine* forecastLine() const { return m_forecast; }
    QCheckBox* wireframeBox() const { return m_wireframe; }

public slots:
    /// Resets all parameters to automatic values or defaults.
    void resetAll();

signals:
    void recipeChanged(const scanloupe::Recipe& recipe);
    void styleChanged(const scanloupe::gui::ViewStyle& style);

protected:
    void changeEvent(QEvent* event) override;

private:
    /// Adds a section with a row for each parameter for which `isIn` is true.
    PanelSection* addSection(const QString& title, const std::function<bool(const Parameter&)>& isIn);
    ParameterRow* makeRow(const Parameter& parameter);
    void changeRecipe(Recipe recipe);
    void showAll();
    void showScales();
    void showFieldHistogram();
    /// Shows the limits of the colour map, or the classes.
    void showColours();
    bool coloursByClass() const; ///< whether each class has a colour, instead of a map
    QString isoUnit() const;

    StoredRecipe m_recipe;
    SnapshotPtr m_snapshot;
    ScanHistograms m_histograms;
    std::optional<FieldKind> m_shownField; ///< kind of the field in the histogram behind the iso-value
    ViewStyle m_style;
    std::vector<ParameterRow*> m_rows;
    std::vector<PanelSection*> m_cloudSections; ///< not applicable to volumes
    QWidget* m_content;
    QLabel* m_hint; ///< shown instead of the rows while no scan is open
    QVBoxLayout* m_column;
    QCheckBox* m_wireframe;
    ForecastLine* m_forecast; ///< shown below the rows
};

} // namespace scanloupe::gui
