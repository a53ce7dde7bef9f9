// What is done to selected points by a dialog.
#include "engine/edit/edit_list.h"
#include "engine/io/formats.h"
#include "engine/io/output_check.h"
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
    if (!m_host.isWhole() || !shown->chosen)
        return;
    if (m_exporter.isBusy())
        return m_messages.showNote(tr("A file is being written: wait until it is done."));
    QStringList patterns;
    for (const std::string& ending : cloudEndings())
        patterns << QStringLiteral("*") + QString::fromStdString(ending);
    const QString path =
        m_host.promptSavePath(m_window, tr("Save the selected points"), QStringLiteral("selection.ply"),
                              tr("Point clouds (%1)").arg(patterns.join(QLatin1Char(' '))));
    if (path.isEmpty())
        return;
    m_exporter.start(tr("%1 to %2").arg(chosenText(), path), shown,
                     [target = rawPath(path), scans = m_host.openScans()](
                         const Snapshot& s, const ProgressFunction& progress, const std::stop_token& stop) {
                         outputCheckFor(scans).addOutput(target, {}); // a link may have been created since
                         const auto some = selectPoints(s.cloud, rowsOf(s.chosen->set.host()), stop);
                         writeCloud(target, *some, {{}, progress}, stop);
                     });
    if (removes)
        m_leaving = Leaving{shown->recipe.edits.selection,
                            tr("To %1: %2").arg(shownText(path), chosenText()).toStdString(),
                            shown->recipe.edits.layers, shown->input};
}

void EditSession::keepSelection() {
    bool isKept = false;
    const QString name =
        QInputDialog::getText(m_window, tr("Keep the selection"), tr("Name"), QLineEdit::Normal,
                              tr("Selection %1").arg(editsAtRest().named.size() + 1), &isKept)
            .trimmed();
    if (isKept && !name.isEmpty())
        changeEdits(withNamed(editsAtRest(), name.toStdString()));
}

} // namespace scanloupe::gui
