#pragma once
// Declares the panel of measures.
#include "gui/controls/save_file.h"
#include "gui/models/measure_model.h"

#include <QWidget>
#include <functional>

class QAction;
class QLabel;
class QTableView;

namespace scanloupe::gui {

/// Prompts for a colour: parent and the current one. Returns an invalid colour when the user cancels.
using ColourPrompt = std::function<QColor(QWidget*, const QColor&)>;
/// Prompts with a colour dialog.
QColor promptColour(QWidget* parent, const QColor& present);

/// Lists the measures of a scan: renames, recolours, hides, removes and saves them.
class MeasuresPanel : public QWidget {
    Q_OBJECT
public:
    explicit MeasuresPanel(SavePathPrompt promptPath = promptSavePath,
                           ColourPrompt promptColour = gui::promptColour, QWidget* parent = nullptr);

    /// @param up unit vector of the up axis; @param unit of the coordinates
    void setMeasures(const MeasureList& measures, Vec3d up, LengthUnit unit);
    /// Shows the next step as a sentence; empty: a description of the panel.
    void setHint(const QString& hint);
    MeasureModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }

public slots:
    void removeSelected();
    void removeAll();
    /// Copies the values of the selected measures, a line each.
    void copyValues();
    void chooseColour();
    void saveCsv();

signals:
    /// Emitted when the user has changed or removed measures.
    void edited(const scanloupe::MeasureList& measures);
    void saved(const QString& path);
    void failed(const QString& sentence, const QString& nextStep);

private:
    /// An action of the table's menu, with a button next to the table.
    QAction* addAction(QWidget* buttons, const QString& icon, const QString& text, const QKeySequence& keys,
                       void (MeasuresPanel::*slot)());
    std::vector<int> selectedRows() const;
    void enableActions();

    SavePathPrompt m_promptSavePath;
    ColourPrompt m_promptColour;
    MeasureModel* m_model;
    QTableView* m_table;
    QLabel* m_hint;
    QAction* m_remove;
    QAction* m_copy;
    QAction* m_colour;
    QAction* m_clear;
    QAction* m_save;
};

} // namespace scanloupe::gui
