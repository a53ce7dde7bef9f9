// Crops the scan to its range and its section, in the views and by the menu.
#include "gui/controllers/cut_controller.h"

#include "engine/inspect/section/section_drawing.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/measure_controller.h"
#include "gui/controllers/run_controller.h"
#include "gui/dialogs/section_dialog.h"
#include "gui/jobs/scan_jobs.h"
#include "gui/tools/section_edits.h"
#include "gui/views/linked_camera.h"
#include "gui/views/view_area.h"

#include <QAction>
#include <QMenu>

namespace scanloupe::gui {

CutController::CutController(const WindowContext& window, RunController& run, MeasureController& measuring)
    : Controller(window), m_run(run), m_measuring(measuring) {
    window.views.setHandles(&m_tool);
    connect(&m_tool, &CutTool::edited, &m_work, &Work::changeRecipe);
    connect(&m_tool, &CutTool::changed, this, &CutController::marksChanged);
    connect(&m_work, &Work::recipeChanged, this, &CutController::show);
    connect(&m_work, &Work::resultsChanged, this, &CutController::show);
    connect(&m_work, &Work::unitChanged, this, [this](LengthUnit unit) { m_tool.setUnit(unit); });
    const MeasureTool& measure = measuring.tool();
    connect(&measure, &MeasureTool::kindChanged, this,
            [this, &measure] { m_tool.setMeasuring(measure.kind().has_value()); });
    connect(&measure, &MeasureTool::draftChanged, this, [this, &measure] {
        const auto draft = measure.draft();
        const bool isMeasuring = draft && measure.kind() && !measure.isClosed();
        m_tool.setMeasuredFrom(isMeasuring ? std::optional(draft->points.back().position) : std::nullopt);
        emit marksChanged();
    });
}

void CutController::buildMenu(QMenu* menu, const QList<QAction*>& ofSection) {
    QAction* box = m_window.addSwitch(menu, "range-box", tr("Show Range &Box"), tr("X"),
                                      [this] { m_tool.setShown(!m_tool.isShown()); });
    connect(&m_tool, &CutTool::changed, box, [this, box] { box->setChecked(m_tool.isShown()); });
    QAction* outside = m_window.addSwitch(menu, nullptr, tr("Keep &Outside of Range"), tr("Shift+X"), [this] {
        m_work.editRecipe([](Recipe& recipe) { recipe.rangeInverted = !recipe.rangeInverted; });
    });
    connect(&m_tool, &CutTool::changed, outside,
            [this, outside] { outside->setChecked(m_work.recipe().rangeInverted); });
    QAction* whole = m_window.addTool(menu, nullptr, tr("Reset &Crop and Section"), {}, [this] {
        m_work.editRecipe([](Recipe& recipe) {
            recipe.rangeMin = recipe.rangeMax = recipe.outerMin = recipe.outerMax = std::nullopt;
            recipe.rangeRotation = 0;
            recipe.rangeInverted = false;
            recipe.section.reset();
        });
    });
    menu->addSeparator();
    m_ofScan << box << outside << whole;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d across;
        across[axis] = 1;
        m_ofScan << m_window.addTool(
            menu, nullptr, tr("Section Normal to &%1").arg(QStringLiteral("xyz").mid(axis, 1)), {},
            [this, across] { // a section parallel to a side of the range, which may be turned
                const Recipe& resolved = m_work.results()->resolved;
                takeSection(sectionAcross(rangeBoxOf(resolved).turned(across), resolved));
            });
    }
    m_ofScan << m_window.addTool(menu, nullptr, tr("Section &Facing the Camera"), {}, [this] {
        const Camera& camera = m_window.viewing.camera.camera();
        takeSection(sectionAcross(camera.eye - camera.target, m_work.results()->resolved));
    });
    m_ofScan << m_window.addTool(menu, "section", tr("Vertical Section Through &Two Points…"), tr("K"),
                                 [this] { measureSection(); });
    m_ofSection << m_window.addTool(menu, nullptr, tr("Re&move Section"), tr("Shift+K"),
                                    [this] { takeSection(std::nullopt); });
    menu->addSeparator();
    // The keys work in the views only, since they scroll other widgets.
    const auto addStep = [&](const QString& text, const QKeySequence& key, double times) {
        QAction* entry = m_window.addTool(menu, nullptr, text, key, [this, times] {
            if (const auto& section = m_work.recipe().section)
                takeSection(stepped(*section, times));
        });
        m_window.keepInViews(entry);
        m_ofSection << entry;
    };
    addStep(tr("Move Section For&ward"), QKeySequence(Qt::Key_PageUp), 1);
    addStep(tr("Move Section Bac&k"), QKeySequence(Qt::Key_PageDown), -1);
    addStep(tr("Move Section Forward by 1/10 Thickness"), QKeySequence(Qt::SHIFT | Qt::Key_PageUp), 0.1);
    addStep(tr("Move Section Back by 1/10 Thickness"), QKeySequence(Qt::SHIFT | Qt::Key_PageDown), -0.1);
    menu->addSeparator();
    m_ofSection << m_window.addTool(menu, nullptr, tr("&Look at Section"), tr("0"),
                                    [this] { lookAtSection(); });
    m_ofSection << m_window.addTool(menu, nullptr, tr("&Save Section As…"), tr("Ctrl+Shift+K"),
                                    [this] { saveSection(); });
    m_ofSection << ofSection;
    show();
}

void CutController::takeSection(const std::optional<Section>& section) {
    m_work.editRecipe([&](Recipe& recipe) { recipe.section = section; });
}

void CutController::show() {
    const bool hasCloud = m_work.hasCloud();
    for (QAction* action : m_ofScan)
        action->setEnabled(hasCloud);
    for (QAction* action : m_ofSection)
        action->setEnabled(hasCloud && m_work.recipe().section);
    m_tool.setRecipe(m_work.recipe(), m_work.results());
}

void CutController::measureSection() {
    m_measuring.measureFor(tr("Section"), [this](const Measure& measure) { takeMeasuredSection(measure); });
    m_window.messages.showNote(tr("Click two points: a vertical section is set through both. Esc cancels."));
}

void CutController::takeMeasuredSection(const Measure& measure) {
    const auto section = sectionThrough(measure.points.front().position, measure.points.back().position,
                                        m_work.up(), m_work.results()->resolved);
    if (!section)
        return m_window.messages.showError(
            tr("The section is not defined: one point is directly above the other."),
            tr("Click two points at different horizontal positions."));
    takeSection(section);
}

void CutController::lookAtSection() {
    const SectionFrame frame = frameOf(*m_work.recipe().section, m_work.up());
    Camera camera = m_window.viewing.camera.camera();
    const double distance = norm(camera.target - camera.eye);
    camera.target = m_work.recipe().section->at;
    camera.eye = camera.target + frame.across * distance;
    camera.up = frame.upwards;
    m_window.viewing.camera.setCamera(camera);
    m_window.viewing.camera.setOrthographic(true);
    m_window.viewing.camera.fit(m_window.views.aspect());
}

void CutController::saveSection() {
    const SnapshotPtr shown = m_work.results(); // the results may be replaced while the dialog is open
    if (!m_run.mayExport())
        return;
    if (!shown->section)
        return m_window.messages.showError(
            tr("The displayed results were computed before the section was set."),
            tr("Move the section or change the parameters until a run succeeds."));
    SectionDialog dialog(shown, m_work.up(), m_work.unit(), m_window.openFiles(), &m_window.widget);
    if (dialog.exec() == QDialog::Accepted)
        m_window.jobs.exporter().start(dialog.job());
}

} // namespace scanloupe::gui
