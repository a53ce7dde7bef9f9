// What is done to selected points by a dialog.
#include "engine/edit/edit_list.h"
#include "engine/io/formats.h"
#include "engine/io/points_in_range.h"
#include "engine/io/writers.h"
#include "engine/recipe/colour_mode.h"
#include "gui/app/edit_dialogs.h"
#include "gui/app/edit_session.h"
#include "gui/base/raw_text.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/save_file.h"
#include "gui/jobs/export_runner.h"
#include "gui/models/number_text.h"

#include <QColorDialog>
#include <QInputDialog>
#include <algorithm>

namespace scanloupe::gui {

QString EditSession::chosenText() const {
    const bool isKnown = m_host.results() && m_host.results()->chosen && !m_host.results()->preview;
    return isKnown ? tr("%1 points").arg(countText(m_host.results()->chosen->count)) : tr("points");
}

void EditSession::selectBy() {
    const Bounds& bounds = m_host.results()->cloud->bounds();
    const Vec3d axis = m_host.up();
    const double a = dot(axis, bounds.min), b = dot(axis, bounds.max);
    SelectByDialog dialog(m_host.results()->cloud, axis, {std::min(a, b), std::max(a, b)}, m_host.unit(),
                          m_window);
    if (dialog.exec() == QDialog::Accepted)
        changeEdits(withStep(editsAtRest(), dialog.step()));
}

void EditSession::selectByFormula() {
    FormulaDialog dialog(FormulaDialog::For::selection, m_host.results()->cloud, m_window);
    if (dialog.exec() == QDialog::Accepted)
        changeEdits(
            withStep(editsAtRest(),
                     stepOf(dialog.operation(), FormulaRegion{dialog.formula().toStdString(), m_host.up()})));
}

void EditSession::computeAttribute() {
    FormulaDialog dialog(FormulaDialog::For::attribute, m_host.results()->cloud, m_window);
    if (dialog.exec() != QDialog::Accepted)
        return;
    changeEdits(withLayerOfSelectedOrAll(
                    editsAtRest(),
                    ComputeAction{dialog.name().toStdString(), dialog.formula().toStdString(), m_host.up()},
                    tr("%1 = %2").arg(dialog.name(), dialog.formula()).toStdString()),
                colourByAttribute(dialog.name().toStdString()));
}

void EditSession::setClass() {
    SetClassDialog dialog(*m_host.results()->cloud, m_window);
    if (dialog.exec() == QDialog::Accepted)
        addLayer(SetClassAction{dialog.value()}, tr("Class %1: %2").arg(dialog.text(), chosenText()));
}

void EditSession::setColour() {
    const QColor chosen = QColorDialog::getColor(m_colour, m_window, tr("Colour of the selected points"));
    if (!chosen.isValid())
        return;
    m_colour = chosen;
    SetColourAction action;
    action.rgb = {std::uint8_t(chosen.red()), std::uint8_t(chosen.green()), std::uint8_t(chosen.blue())};
    addLayer(action, tr("Colour %1: %2").arg(chosen.name(), chosenText()), "rgb");
}

void EditSession::moveSelection() {
    MoveDialog dialog(m_host.up(), m_host.lookedAt(), m_host.unit(), m_window);
    if (dialog.exec() == QDialog::Accepted)
        addLayer(MoveAction{dialog.motion()}, tr("Move %1").arg(chosenText()));
}

void EditSession::saveSelection(bool removes) {
    const SnapshotPtr shown = m_host.results(); // another one may come while people choose a file
    if (!m_host.mayExport())
        return;
    if (!shown->chosen)
        return m_messages.showError(tr("The results that are shown have no selection."),
                                    tr("Select the points again."));
    const QString path =
        m_host.promptSavePath(m_window, tr("Save the selected points"), QStringLiteral("selection.ply"),
                              tr("Point clouds (%1)").arg(patternsOf(cloudEndings())));
    if (path.isEmpty())
        return;
    ExportJob job{tr("%1 to %2").arg(chosenText(), shownText(path)), rawPath(path), shown, {}};
    job.write = [target = job.target](const Snapshot& s, const ProgressFunction& progress,
                                      const std::stop_token& stop) {
        const auto some = selectPoints(s.cloud, rowsOf(s.chosen->set.host()), stop);
        writeCloud(target, *some, {{}, progress}, stop);
    };
    if (removes)
        job.whenWritten = [this, shown,
                           name = tr("To %1: %2").arg(shownText(path), chosenText()).toStdString()] {
            removeWritten(*shown, name);
        };
    m_exporter.start(std::move(job));
}

void EditSession::removeWritten(const Snapshot& of, const std::string& name) {
    if (!m_host.results() || m_host.results()->input != of.input)
        return m_messages.showNote(
            tr("The points were written, and stay in their scan: another one is open."));
    Edits all = editsAtRest();
    if (!haveSameEffect(all.layers, of.recipe.edits.layers))
        return m_messages.showNote(
            tr("The points were written, and stay here: edits have changed meanwhile."));
    all.selection = of.recipe.edits.selection;
    changeEdits(withLayer(std::move(all), RemoveAction{}, name));
}

void EditSession::keepSelection() {
    bool isKept = false;
    const QString name =
        QInputDialog::getText(m_window, tr("Keep the selection"), tr("Name"), QLineEdit::Normal,
                              tr("Selection %1").arg(editsAtRest().named.size() + 1), &isKept)
            .trimmed();
    if (isKept && name.isEmpty())
        m_messages.showError(tr("The selection has no name, so it was not kept."), tr("Give it one."));
    else if (isKept)
        changeEdits(withNamed(editsAtRest(), name.toStdString()));
}

} // namespace scanloupe::gui
