// The parameter sweep of the window.
#include "gui/app/main_window.h"
#include "gui/app/sweep_dialog.h"
#include "gui/app/view_area.h"
#include "gui/controls/message_bar.h"
#include "gui/panels/parameters/parameter_panel.h"

namespace scanloupe::gui {

void MainWindow::showSweep() {
    if (!isWhole()) // the values that a preview has chosen from the data differ
        return;
    if (!m_sweep) {
        const SavePathPrompt promptPath = [this](auto&&... question) { return promptSavePath(question...); };
        m_sweep = new SweepDialog(m_jobs.runner(), promptPath, this);
        m_sweep->setUnit(m_reference.unit);
        connect(m_sweep, &SweepDialog::failed, m_messages, &MessageBar::showError);
        connect(m_sweep, &SweepDialog::saved, this,
                [this](const QString& path) { m_messages->showNote(tr("Written: %1.").arg(path)); });
        connect(m_sweep, &SweepDialog::taken, this, [this](std::size_t column, std::size_t row) {
            const Recipe recipe = m_sweep->withValuesOf(m_parameters->recipe(), column, row);
            m_parameters->setRecipe(recipe);
            changeRecipe(recipe);
        });
    }
    followSweep();
    m_sweep->show();
    m_sweep->raise();
    m_sweep->activateWindow();
}

void MainWindow::followSweep() {
    if (!m_sweep)
        return;
    Recipe recipe = m_snapshot->recipe;
    recipe.camera = m_camera.camera();
    m_sweep->setSnapshot(m_snapshot);
    m_sweep->setRecipe(recipe, m_views->aspect());
}

} // namespace scanloupe::gui
