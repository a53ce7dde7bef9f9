// Unit and coordinate system in the window: shown with all lengths, set, undone and kept.
#include "gui/app/main_window.h"
#include "gui/app/sweep_dialog.h"
#include "gui/controls/message_bar.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/parameters/parameter_panel.h"

namespace scanloupe::gui {

void MainWindow::changeReference(const ChosenReference& chosen) {
    WorkState state = m_history.state();
    state.reference = chosen;
    m_history.record(state);
    showHistory();
    showReference();
}

void MainWindow::showReference() {
    const ChosenReference& chosen = m_history.state().reference;
    const std::shared_ptr<const PointCloud> cloud = m_snapshot ? m_snapshot->cloud : nullptr;
    if (cloud == m_referenceCloud && chosen == m_chosenReference)
        return; // results come many times a second, and texts of systems may be long
    const CoordinateReference before = m_reference;
    m_reference = referenceOf(cloud.get(), chosen);
    m_referenceCloud = cloud;
    m_chosenReference = chosen;
    const LengthUnit unit = m_reference.unit;
    m_data->setReference(m_reference, chosen);
    if (m_reference.notes != before.notes) {
        for (const std::string& note : m_reference.notes)
            m_log->append(QString::fromStdString(note) + QLatin1Char(' ') + whereUnitIsSet());
        if (unit == LengthUnit::degree)
            m_messages->showNote(QString::fromStdString(m_reference.notes.front()));
    }
    if (unit == before.unit)
        return;
    m_parameters->setUnit(unit);
    m_align->setUnit(unit);
    m_cut.setUnit(unit);
    if (m_sweep)
        m_sweep->setUnit(unit);
    showMeasures();
    showComparison();
}

QString MainWindow::whereUnitIsSet() {
    return tr("The unit is set in the Data panel, under Scan.");
}

} // namespace scanloupe::gui
