#pragma once
// Declares the panel that inspects a scan against a model or another scan.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/fit/fit.h"
#include "engine/inspect/inspection.h"
#include "gui/controls/pace.h"

#include <QWidget>
#include <optional>

class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QTableView;
class QToolButton;

namespace scanloupe {
struct Recipe;
}

namespace scanloupe::gui {

class PropertyModel;
class RangeSlider;
class RegionModel;
class ValueControl;

/// Deviations of a scan from a model: the tolerance under their histogram, statistics, and the worst regions.
class InspectPanel : public QWidget {
    Q_OBJECT
public:
    explicit InspectPanel(QWidget* parent = nullptr);

    /// Shows the tolerance of a recipe without emitting signals.
    void setRecipe(const Recipe& recipe);
    void setUnit(LengthUnit unit);
    /// Shows an inspection; nullopt: the points have no deviations. @param isOpen whether there is a cloud
    /// that can be compared
    void setInspection(const std::optional<Inspection>& inspection);
    void setScan(bool isOpen);

    ValueControl* tolerance() const { return m_tolerance; }
    RangeSlider* histogram() const { return m_histogram; }
    QTableView* table() const { return m_table; }
    RegionModel* model() const { return m_regions; }
    QPushButton* fitButton() const { return m_fit; }
    QPushButton* unitButton() const { return m_unitButton; }
    QPushButton* reportButton() const { return m_report; }
    QComboBox* localModel() const { return m_localModel; }
    QComboBox* deviationLines() const { return m_deviationLines; }
    /// The user's options for fitting the scan.
    FitOptions fitOptions() const;
    /// Exaggeration of deviation lines; 0: none are drawn.
    double deviationLineScale() const;
    QString referenceText() const;

signals:
    /// Emitted when the user requests a model.
    void modelWanted();
    /// Emitted when the user requests a fit of the scan to the model.
    void fitWanted();
    /// Emitted when the user wants to pick pairs of corresponding points.
    void pairsWanted();
    void toleranceEdited(double tolerance);
    /// Emitted when the reference's coordinates should be multiplied by `scale`.
    void scaleChosen(double scale);
    void regionChosen(const scanloupe::DeviationRegion& region);
    /// How the surface of a reference that is a scan is modelled.
    void localModelChosen(scanloupe::LocalModel model);
    void deviationLinesChosen();
    void reportWanted();

private:
    void showInspection();
    void showTolerance();
    void chooseRegion(int row);
    void addFitMenu(QToolButton& button);
    void addChoices();

    std::optional<Inspection> m_inspection;
    double m_shownTolerance = 0;
    LengthUnit m_unit = LengthUnit::metre;
    QPushButton *m_model, *m_fit, *m_unitButton, *m_report;
    QToolButton* m_fitChoices;
    QAction *m_generalized = nullptr, *m_freeScale = nullptr;
    QLabel* m_localModelLabel;
    QComboBox *m_localModel, *m_deviationLines;
    QLabel* m_reference;
    ValueControl* m_tolerance;
    RangeSlider* m_histogram;
    PropertyModel* m_properties;
    QTableView* m_figures;
    RegionModel* m_regions;
    QLabel* m_worst;
    QTableView* m_table;
    Pace m_pace; ///< limits the updates of setInspection()
};

} // namespace scanloupe::gui
