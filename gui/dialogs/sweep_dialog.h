#pragma once
// Declares the dialog of parameter sweeps.
#include "gui/controls/save_file.h"
#include "gui/jobs/pipeline_runner.h"
#include "gui/jobs/sweep_runner.h"

#include <QDialog>
#include <QSize>

class QComboBox;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QScrollArea;
class QSpinBox;
class QToolButton;

namespace scanloupe::gui {

class NumberBox;

/// Runs the shown recipe with two of its parameters at several values each, and shows a sheet of pictures
/// with time, triangles and mean distance. A click on a picture applies its values. Not modal.
class SweepDialog : public QDialog {
    Q_OBJECT
public:
    SweepDialog(const PipelineRunner& runner, SavePathPrompt promptPath, QWidget* parent = nullptr);

    /// Sets the initial values from results: two parameters around their current values. The shown sheet
    /// stays, unless the results are of another scan.
    void setSnapshot(const SnapshotPtr& snapshot);
    /// Sets the recipe to sweep from now on, with the camera of a view of this aspect (width / height).
    void setRecipe(const Recipe& recipe, double aspect);
    /// Sets the unit of the scan's coordinates for the texts from now on.
    void setUnit(LengthUnit unit);
    void start();
    SweepRunner& runner() { return m_runner; }
    const std::vector<SweepRunner::CellPtr>& cells() const { return m_cells; }
    /// The picture of a cell; null while there is none.
    QToolButton* tile(std::size_t column, std::size_t row) const;
    /// A picture of the whole sheet, with its captions.
    QPixmap sheet() const;
    std::string csv() const;
    /// `recipe` with the two values of a cell.
    Recipe withValuesOf(Recipe recipe, std::size_t column, std::size_t row) const;

signals:
    /// The user has chosen the values of a cell.
    void taken(std::size_t column, std::size_t row);
    void failed(const QString& sentence, const QString& nextStep);
    void saved(const QString& path);

private:
    /// The user's choice of a parameter with its range.
    struct AxisChoice {
        QComboBox* parameter = nullptr;
        NumberBox *low = nullptr, *high = nullptr;
        QSpinBox* count = nullptr;
    };
    AxisChoice addAxis(QGridLayout* rows, int row, const QString& label, int count);
    void fillParameters(const AxisChoice& axis, const char* wanted);
    void showRange(const AxisChoice& axis);
    SweepAxis chosen(const AxisChoice& axis) const;
    void buildSheet();
    void showCell(const SweepRunner::CellPtr& cell);
    void showState();
    QString valueText(const SweepAxis& axis, std::size_t index) const;
    void savePictures();
    void saveFigures();

    SavePathPrompt m_promptPath;
    SnapshotPtr m_snapshot;
    StoredRecipe m_recipe;
    QSize m_tile; ///< size of a picture, in pixels of a screen of normal density
    LengthUnit m_unit = LengthUnit::metre;
    SweepGrid m_grid; ///< the grid that the sheet shows
    std::vector<SweepRunner::CellPtr> m_cells;
    std::vector<QToolButton*> m_tiles; ///< by rows
    AxisChoice m_across, m_down;
    QLabel* m_hint;
    QScrollArea* m_scroll;
    QProgressBar* m_progress;
    QPushButton *m_run, *m_png, *m_csv;
    const PipelineRunner& m_window; ///< sweeps use the backend of the window's runner
    SweepRunner m_runner;
};

} // namespace scanloupe::gui
